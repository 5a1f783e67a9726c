import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JobFilter } from '../../../contract/jobs.ts';
import type { Limits } from '../../../contract/limits.ts';
import { Fault } from '../../../lib/fault.ts';
import type { ThreadHandle } from '../../store/sqlite/handle.ts';
import { searchTermsOf, meetsTerms } from './search-terms.ts';
import type { Search, Found, SearchTerms } from './port.ts';
import { iso } from '../../../lib/clock.ts';
import type { ReadHandle, WriteHandle } from '../../store/port.ts';
import { readIndexState, tokenOf } from './index-file.ts';
import { labelsOf } from './indexer.ts';
import { inputsOf } from './job-inputs.ts';
import { termsOf, type TermLimits } from './terms.ts';

export const searchFilePath = (file: string): string => join(dirname(file), 'search.db');

export type SearchLimits = Parameters<typeof findJobs>[3];

export const searchLimits = ({
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
export const usesSearchIndex = ({ label, input, text }: JobFilter): boolean =>
  (label !== undefined && label.length > 0) || (input !== undefined && input.length > 0) || text !== undefined;

/** Runs the search of a filter on a thread's own handle; null: it has none. What was found is in `temp.found` until the next. */
export function createSearch(handle: ThreadHandle, searchFile: string, limits: SearchLimits): Search {
  let attached = false;
  return (filter) => {
    const ask = searchTermsOf(filter);
    if (!ask) return null;
    if (!attached) {
      if (!existsSync(searchFile))
        throw new Fault('STORE_UNAVAILABLE', 'the search index is still being built; try again in a moment', {
          extra: { retryAfterSeconds: 1 },
        });
      handle.attach(searchFile, 'search');
      attached = true;
    }
    return findJobs(handle.read, handle.temporary, ask, limits);
  };
}

/** Jobs found by the index up to this many are read and decided by their texts; of more, the hash alone decides: 60 bits of it, salted. */
const VERIFIED = 5000;

interface Candidate {
  seq: number;
  input_count: number;
  labels: string | null;
  created_at: number;
}

/**
 * Fills `temp.found` with the jobs that meet the ask: by the index as far as it goes, the newest ones by reading them.
 *
 * @param read has the index attached as `search`
 */
export function findJobs(
  read: ReadHandle,
  temporary: WriteHandle,
  ask: SearchTerms,
  limits: TermLimits & Pick<Limits, 'searchMatches' | 'searchScan'>,
): Found {
  temporary.statement('CREATE TEMP TABLE IF NOT EXISTS found (seq INTEGER PRIMARY KEY)').run();
  temporary.statement('DELETE FROM temp.found').run();
  const indexed = readIndexState(read);
  let total = temporary
    .statement('INSERT INTO temp.found SELECT rowid FROM search.doc AS d WHERE d.doc MATCH ? LIMIT ?')
    .run(matchOf(ask, indexed.salt), limits.searchMatches + 1);
  if (total > limits.searchMatches)
    throw new Fault(
      'SEARCH_TOO_BROAD',
      `the search matches more than ${limits.searchMatches} jobs: add words or fields`,
    );
  const decide = (job: Candidate) =>
    meetsTerms(ask, labelsOf(job.labels), () =>
      termsOf(inputsOf(read, job.seq, job.input_count, limits.searchInputs), limits),
    );
  if (total <= VERIFIED) {
    const jobs = new Map(
      read
        .query<Candidate>(
          'SELECT j.seq, j.input_count, j.labels, j.created_at FROM temp.found f JOIN job j ON j.seq = f.seq',
        )
        .all()
        .map((job) => [job.seq, job]),
    );
    for (const { seq } of read.query<{ seq: number }>('SELECT seq FROM temp.found').all()) {
      const job = jobs.get(seq);
      if (job && decide(job)) continue;
      temporary.statement('DELETE FROM temp.found WHERE seq = ?').run(seq);
      total--;
    }
  }
  const young = read
    .query<Candidate>('SELECT seq, input_count, labels, created_at FROM job WHERE seq > ? ORDER BY seq LIMIT ?')
    .all(indexed.seq, limits.searchScan + 1);
  const beyond = young.length > limits.searchScan ? young.pop() : undefined;
  for (const job of young)
    if (decide(job)) total += temporary.statement('INSERT OR IGNORE INTO temp.found VALUES (?)').run(job.seq);
  return { total, searchedTo: beyond ? iso(beyond.created_at) : null };
}

/** All parts must be there; of a field's ways to be written one will do. Tokens are letters and digits, so nothing needs quoting. */
function matchOf(ask: SearchTerms, salt: string): string {
  const parts = [
    ...ask.labels.map(({ key, value }) =>
      value === null ? tokenOf(salt, 'key', key) : tokenOf(salt, 'label', `${key}=${value}`),
    ),
    ...ask.fields.map((keys) => `(${keys.map((key) => `"${tokenOf(salt, 'field', key)}"`).join(' OR ')})`),
    ...ask.words.map((word) => tokenOf(salt, 'word', word)),
  ];
  return parts.map((part) => (part.startsWith('(') ? part : `"${part}"`)).join(' AND ');
}
