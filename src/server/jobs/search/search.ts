import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JobFilter } from '../../../contract/jobs.ts';
import type { Limits } from '../../../contract/limits.ts';
import { Fault } from '../../../lib/fault.ts';
import type { ThreadHandle } from '../../store/sqlite/handle.ts';
import { searchTermsOf } from './search-terms.ts';
import { findJobs } from './find.ts';
import type { Search } from './port.ts';

export const searchFileOf = (file: string): string => join(dirname(file), 'search.db');

export type SearchLimits = Parameters<typeof findJobs>[3];

export const limitsOfSearch = ({
  searchInputs,
  searchFields,
  searchDepth,
  searchInputBytes,
  searchTextCharacters,
  searchValueCharacters,
  searchWords,
  searchMatches,
  searchScan,
}: Readonly<Limits>): SearchLimits => ({
  searchInputs,
  searchFields,
  searchDepth,
  searchInputBytes,
  searchTextCharacters,
  searchValueCharacters,
  searchWords,
  searchMatches,
  searchScan,
});

/** True where a filter searches, so that the index should know the newest jobs first. */
export const searches = ({ label, input, text }: JobFilter): boolean =>
  (label !== undefined && label.length > 0) || (input !== undefined && input.length > 0) || text !== undefined;

/** Runs the search of a filter on a thread's own handle; null: it has none. What was found is in `temp.found` until the next. */
export function createSearch(handle: ThreadHandle, searchFile: string, limits: SearchLimits): Search {
  let attached = false;
  return (filter) => {
    const ask = searchTermsOf(filter);
    if (!ask) return null;
    if (!attached) {
      if (!existsSync(searchFile))
        throw new Fault('STORE_UNAVAILABLE', 'the index of the search is being made; try again in a moment', {
          extra: { retryAfterSeconds: 1 },
        });
      handle.attach(searchFile, 'search');
      attached = true;
    }
    return findJobs(handle.read, handle.temporary, ask, limits);
  };
}
