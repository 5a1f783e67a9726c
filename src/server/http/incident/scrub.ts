import type { Secrets } from '../../secrets/port.ts';
import { HOLDERS } from '../redacted.ts';

/** Keys, tokens, sign-in codes and session cookies of the product itself, and what is sent as a bearer token. */
const CREDENTIALS = /\b(?:ym|ymt|yt|ys|yc)_[A-Za-z0-9_-]{20,}|\b(Bearer|Basic)\s+[A-Za-z0-9._~+/-]{16,}=*/g;
/** What a definition may hold besides what answers hold. */
const CONFIG: ReadonlySet<string> = new Set([...HOLDERS, 'config', 'definition', 'note', 'description', 'name', 'createdBy', 'publishedBy', 'author', 'url', 'tags']);
/** What the product itself writes into a log record; all other fields are anybody's. */
const OF_RECORD: ReadonlySet<string> = new Set(['_time', 'level', 'source', 'job_id', 'task_id', 'worker_id']);

/** Takes what is secret out of the parts of a bundle: values of secrets wherever payloads, messages and settings stand, and credentials everywhere. */
export interface Scrub {
  /** A payload from end to end. */
  whole(json: string): string;
  /** What the API answers: structure, with payloads and messages in it. */
  answer(json: string): string;
  /** Several of these, one a line. */
  lines(ndjson: string): string;
  /** Log records as lines. What is a secret now may have been logged before it was one, in any field. */
  records(records: readonly Record<string, unknown>[]): string;
}

export function createScrub({ redactor }: Pick<Secrets, 'redactor'>): Scrub {
  const bare = (text: string): string => text.replace(CREDENTIALS, (_found, scheme: string | undefined) => (scheme === undefined ? '[credential]' : `${scheme} [credential]`));
  const answer = (json: string): string => bare(redactor.json(json, CONFIG));
  const record = (given: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => (OF_RECORD.has(name) ? [name, value] : [redactor.text(name), redactor.value(value)])));
  return {
    whole: (json) => bare(redactor.json(json)),
    answer,
    // Most pieces hold none, which one look at the whole tells.
    lines: (ndjson) => (redactor.text(ndjson) === ndjson ? bare(ndjson) : ndjson.split('\n').map((line) => (line === '' ? '' : answer(line))).join('\n')),
    records: (records) => bare(records.map((one) => `${JSON.stringify(record(one))}\n`).join('')),
  };
}
