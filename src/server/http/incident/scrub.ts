import { setTimeout as wait } from 'node:timers/promises';
import { Fault } from '../../../lib/fault.ts';
import { createRedactor, type NamedSecret, type Redactor } from '../../../lib/redact.ts';
import { REDACTED_LEAST } from '../../../contract/secrets.ts';
import type { Heavy, HeavyWork } from '../../heavy/port.ts';
import type { Secrets } from '../../secrets/port.ts';
import { HOLDERS } from '../redacted.ts';

/** Keys, tokens, sign-in codes and session cookies of the product itself, and what is sent as a bearer token. */
const CREDENTIALS = /\b(?:ym|ymt|yt|ys|yc)_[A-Za-z0-9_-]{20,}|\b(Bearer|Basic)\s+[A-Za-z0-9._~+/-]{16,}=*/g;
/** What a definition may hold besides what answers hold. */
const CONFIG: ReadonlySet<string> = new Set([...HOLDERS, 'config', 'definition', 'note', 'description', 'name', 'createdBy', 'publishedBy', 'author', 'url', 'tags']);
/** What the product itself writes into a log record; all other fields are anybody's. */
const OF_RECORD: ReadonlySet<string> = new Set(['_time', 'level', 'source', 'job_id', 'task_id', 'worker_id']);

/** Characters from which a text is read in the thread. */
const HEAVY = 32 * 1024;
const AGAIN_MS = 200;

/** What a text is: a payload from end to end; what the API answers, which is structure with payloads and messages in it; several of these, one a line; log records, one a line. */
type ScrubKind = 'whole' | 'answer' | 'lines' | 'records';

/** Takes what is secret out of the parts of a bundle: values of secrets wherever payloads, messages and settings stand, and credentials everywhere. */
export type Scrub = (kind: ScrubKind, json: string) => Promise<string>;

/** Reads short texts here, and long ones in the thread; where much waits for it, until it has time. */
export function createScrub({ secrets, heavy, named, signal }: { secrets: Pick<Secrets, 'redactor'>; heavy: Heavy; named: readonly NamedSecret[]; signal: AbortSignal }): Scrub {
  const { redactor } = secrets;
  return async (kind, json) => {
    if (json.length < HEAVY) return scrubbed(redactor, kind, json);
    for (;;) {
      signal.throwIfAborted();
      try {
        return await heavy.call('scrub', { kind, json, named });
      } catch (error) {
        if (!(error instanceof Fault && error.code === 'OVERLOADED')) throw error;
        await wait(AGAIN_MS);
      }
    }
  };
}

/** The thread's end. */
export const scrubInThread: HeavyWork['scrub'] = ({ kind, json, named }) => scrubbed(createRedactor(named, REDACTED_LEAST), kind, json);

function scrubbed(redactor: Redactor, kind: ScrubKind, json: string): string {
  if (kind === 'whole') return bare(redactor.json(json));
  if (kind === 'answer') return bare(redactor.json(json, CONFIG));
  // Most pieces hold none, which one look at the whole tells.
  if (redactor.text(json) === json) return bare(json);
  const one = (line: string) => (kind === 'lines' ? redactor.json(line, CONFIG) : JSON.stringify(record(redactor, JSON.parse(line) as Record<string, unknown>)));
  return bare(json.split('\n').map((line) => (line === '' ? '' : one(line))).join('\n'));
}

const bare = (text: string): string => text.replace(CREDENTIALS, (_found, scheme: string | undefined) => (scheme === undefined ? '[credential]' : `${scheme} [credential]`));

/** What is a secret now may have been logged before it was one, in any field. */
const record = (redactor: Redactor, given: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => (OF_RECORD.has(name) ? [name, value] : [redactor.text(name), redactor.value(value)])));
