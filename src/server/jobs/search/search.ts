import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JobFilter } from '../../../contract/jobs.ts';
import type { Limits } from '../../../contract/limits.ts';
import { Fault } from '../../../lib/fault.ts';
import type { ThreadHandle } from '../../store/sqlite/handle.ts';
import { jobQueryTerms } from '../../../lib/job-query/parse.ts';
import { usesIndex } from '../../../lib/job-query/split.ts';
import { filterConditions, type Condition } from '../queries/job-filter.ts';
import { isDecided, meetsClause, meetsTerms, searchTermsOf } from './search-terms.ts';
import type { Clause, Found, Matcher, Search, SearchTerms } from './port.ts';
import { iso } from '../../../lib/clock.ts';
import type { ReadHandle, WriteHandle } from '../../store/port.ts';
import { readIndexState, tokenOf } from './index-file.ts';
import { labelsOf } from './indexer.ts';
import { inputsOf } from './job-inputs.ts';
import { termsOf, type TermLimits, type Terms } from './terms.ts';

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
  searchReads,
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
  searchReads,
});

/** True where a filter searches, so that the index should know the newest jobs first. */
export const usesSearchIndex = (filter: JobFilter): boolean =>
  (filter.label !== undefined && filter.label.length > 0) ||
  (filter.input !== undefined && filter.input.length > 0) ||
  filter.text !== undefined ||
  (filter.query !== undefined && usesIndex(jobQueryTerms(filter.query)));

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
    return findJobs(handle.read, handle.temporary, ask, limits, filterConditions(filter, []));
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
const CANDIDATE = 'seq, input_count, labels, created_at';

/**
 * Fills `temp.found` with the jobs that meet the ask, and `temp.excluded` with those that meet what is negated: by the index as
 * far as it goes, the newest ones by reading them.
 *
 * @param read has the index attached as `search`
 * @param others conditions that hold besides: jobs whose values must be read are only those that meet these
 */
export function findJobs(
  read: ReadHandle,
  temporary: WriteHandle,
  ask: SearchTerms,
  limits: TermLimits & Pick<Limits, 'searchMatches' | 'searchScan' | 'searchReads'>,
  others: readonly Condition[],
): Found {
  const wanted = ask.filter(({ not }) => !not);
  const unwanted = ask.filter(({ not }) => not);
  const { salt, seq } = readIndexState(read);
  const termsOfJob = (job: Candidate) => {
    let terms: Terms | undefined;
    return () => (terms ??= termsOf(inputsOf(read, job.seq, job.input_count, limits.searchInputs), limits));
  };
  const meetsWanted = (job: Candidate) => meetsTerms(wanted, labelsOf(job.labels), termsOfJob(job));
  const meetsUnwanted = (job: Candidate) => {
    const labels = labelsOf(job.labels);
    const terms = termsOfJob(job);
    return unwanted.some((clause) => meetsClause(clause, labels, terms));
  };

  /** Puts what the index finds into a table, and takes out again what the jobs themselves do not meet. */
  function fill(table: 'found' | 'excluded', clauses: SearchTerms, decide: (job: Candidate) => boolean, join: string) {
    temporary.statement(`CREATE TEMP TABLE IF NOT EXISTS ${table} (seq INTEGER PRIMARY KEY)`).run();
    temporary.statement(`DELETE FROM temp.${table}`).run();
    if (clauses.length === 0) return;
    const total = temporary
      .statement(`INSERT INTO temp.${table} SELECT rowid FROM search.doc AS d WHERE d.doc MATCH ? LIMIT ?`)
      .run(clauses.map((clause) => matchOf(clause, salt)).join(join), limits.searchMatches + 1);
    if (total > limits.searchMatches)
      throw new Fault(
        'SEARCH_TOO_BROAD',
        `the search matches more than ${limits.searchMatches} jobs: add words or fields`,
      );
    const decided = clauses.every(isDecided);
    if (total > VERIFIED && decided) return;
    // What is excluded needs to be known only among what is found.
    const within = table === 'excluded' && wanted.length > 0 ? ' AND seq IN (SELECT seq FROM temp.found)' : '';
    const where = decided ? '' : others.map(({ sql }) => ` AND (${sql})`).join('');
    const jobs = read
      .query<Candidate>(
        `SELECT ${CANDIDATE} FROM job WHERE seq IN (SELECT seq FROM temp.${table})${within}${where} LIMIT ?`,
      )
      .all(
        ...(decided ? [] : others.flatMap(({ values }) => [...values])),
        decided ? VERIFIED : limits.searchReads + 1,
      );
    if (!decided && jobs.length > limits.searchReads)
      throw new Fault(
        'SEARCH_TOO_BROAD',
        `the query compares values in the inputs of more than ${limits.searchReads} jobs: add a workflow, a time, or an exact value of a field`,
      );
    const kept = jobs.filter(decide).map((job) => job.seq);
    temporary.statement(`DELETE FROM temp.${table}`).run();
    temporary.statement(`INSERT INTO temp.${table} SELECT value FROM json_each(?)`).run(JSON.stringify(kept));
  }
  fill('found', wanted, meetsWanted, ' AND ');
  fill('excluded', unwanted, meetsUnwanted, ' OR ');

  const young = read
    .query<Candidate>(`SELECT ${CANDIDATE} FROM job WHERE seq > ? ORDER BY seq LIMIT ?`)
    .all(seq, limits.searchScan + 1);
  const beyond = young.length > limits.searchScan ? young.pop() : undefined;
  for (const job of young) {
    if (wanted.length > 0 && meetsWanted(job))
      temporary.statement('INSERT OR IGNORE INTO temp.found VALUES (?)').run(job.seq);
    if (unwanted.length > 0 && meetsUnwanted(job))
      temporary.statement('INSERT OR IGNORE INTO temp.excluded VALUES (?)').run(job.seq);
  }
  // Of what was not looked at nothing is known: it is missing rather than wrong.
  if (beyond && wanted.length === 0)
    temporary.statement('INSERT OR IGNORE INTO temp.excluded SELECT seq FROM job WHERE seq >= ?').run(beyond.seq);
  const count = (table: string) => read.query<{ n: number }>(`SELECT count(*) AS n FROM temp.${table}`).get()?.n ?? 0;
  return {
    total: wanted.length > 0 ? count('found') : null,
    excluded: unwanted.length > 0 ? count('excluded') : null,
    searchedTo: beyond ? iso(beyond.created_at) : null,
  };
}

/** One of a clause's ways will do. Tokens are letters and digits, so nothing needs quoting. */
const matchOf = ({ any }: Clause, salt: string): string =>
  `(${any.map((matcher) => `(${tokensOf(matcher, salt)})`).join(' OR ')})`;

function tokensOf(matcher: Matcher, salt: string): string {
  const quoted = (kind: Parameters<typeof tokenOf>[1], value: string) => `"${tokenOf(salt, kind, value)}"`;
  if (matcher.kind === 'words') return matcher.words.map((word) => quoted('word', word)).join(' AND ');
  if (matcher.kind === 'label')
    return matcher.test.op === 'is'
      ? quoted('label', `${matcher.key}=${matcher.test.value}`)
      : quoted('key', matcher.key);
  return matcher.keys === null
    ? quoted('path', matcher.path)
    : matcher.keys.map((key) => quoted('field', key)).join(' OR ');
}
