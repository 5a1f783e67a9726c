import { setTimeout as wait } from 'node:timers/promises';
import { Fault } from '../../../../lib/fault.ts';
import { parseJson } from '../../../../lib/json.ts';
import type { Redactor } from '../../../../lib/redact.ts';
import { toTransferable } from '../../../../lib/packed-inputs.ts';
import type { Offload, OffloadWork } from '../../../offload/port.ts';
import type { Secrets } from '../../../secrets/port.ts';
import { REDACTED_FIELDS, jsonText, type Json } from '../../core/response-redaction.ts';

/** Keys, tokens, sign-in codes and session cookies of the product itself, and what is sent as a bearer token. */
const CREDENTIALS = /\b(?:ym|ymt|yt|ys|yc)_[A-Za-z0-9_-]{20,}|\b(Bearer|Basic)\s+[A-Za-z0-9._~+/-]{16,}=*/g;
/** What a definition may hold besides what answers hold. */
const CONFIG: ReadonlySet<string> = new Set([
  ...REDACTED_FIELDS,
  'config',
  'definition',
  'note',
  'description',
  'name',
  'createdBy',
  'publishedBy',
  'author',
  'url',
  'tags',
]);
/** What the product itself writes into a log record; all other fields are anybody's. */
const OF_RECORD: ReadonlySet<string> = new Set(['_time', 'level', 'source', 'job_id', 'task_id', 'worker_id']);

/** Length from which a text is read in the thread: half of what one answer may have here, as a bundle has many. */
const HEAVY = 32 * 1024;
const AGAIN_MS = 200;

/** What a text is: a payload from end to end; what the API answers, which is structure with payloads and messages in it; several of these, one a line; log records, one a line. */
type TextKind = Parameters<OffloadWork['redactBundleText']>[0]['kind'];

/** Takes what is secret out of the parts of a bundle: values of secrets wherever payloads, messages and settings stand, and credentials everywhere. Bytes are handed over. */
export type RedactText = (kind: TextKind, json: Json) => Promise<Json>;

/** Reads short texts here, and long ones in the thread; where much waits for it, until it has time. */
export function createBundleRedaction({
  secrets,
  redactionThread,
  signal,
}: {
  secrets: Pick<Secrets, 'redactor'>;
  redactionThread: Pick<Offload, 'call'>;
  signal: AbortSignal;
}): RedactText {
  return async (kind, json) => {
    if (json.length < HEAVY) return redactText(secrets.redactor, kind, jsonText(json));
    for (;;) {
      signal.throwIfAborted();
      const bytes = toTransferable(typeof json === 'string' ? Buffer.from(json) : json);
      try {
        return await redactionThread.call('redactBundleText', { kind, json: bytes }, [bytes]);
      } catch (error) {
        // Bytes that have gone to a thread that ended do not come back.
        if (!(error instanceof Fault && error.code === 'OVERLOADED') || json.length === 0) throw error;
        await wait(AGAIN_MS);
      }
    }
  };
}

export function redactText(redactor: Redactor, kind: TextKind, json: string): string {
  if (kind === 'whole') return bare(redactor.json(json));
  if (kind === 'answer') return bare(redactor.json(json, CONFIG));
  // Most pieces hold none, which one look at the whole tells.
  if (redactor.text(json) === json) return bare(json);
  const one = (line: string) =>
    kind === 'lines'
      ? redactor.json(line, CONFIG)
      : JSON.stringify(record(redactor, parseJson<Record<string, unknown>>(line)));
  return bare(
    json
      .split('\n')
      .map((line) => (line === '' ? '' : one(line)))
      .join('\n'),
  );
}

const bare = (text: string): string =>
  text.replace(CREDENTIALS, (_found, scheme: string | undefined) =>
    scheme === undefined ? '[credential]' : `${scheme} [credential]`,
  );

/** What is a secret now may have been logged before it was one, in any field. */
const record = (redactor: Redactor, given: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) =>
      OF_RECORD.has(name) ? [name, value] : [redactor.text(name), redactor.value(value)],
    ),
  );
