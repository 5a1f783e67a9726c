import { setTimeout as wait } from 'node:timers/promises';
import type { Limits } from '../../../contract/limits.ts';
import type { RouteName } from '../../../contract/routes.ts';
import { MIN_REDACTED_CHARACTERS } from '../../../contract/secret-names.ts';
import { Fault } from '../../../lib/fault.ts';
import { maskPaths, type MaskPath } from '../../../lib/mask-paths.ts';
import { toTransferable } from '../../../lib/packed-inputs.ts';
import type { Offload } from '../../offload/port.ts';
import type { Secrets } from '../../secrets/port.ts';

/** JSON text, or its bytes. */
export type Json = string | Uint8Array;
/** What an operator is shown of an answer. `masks`: fields of its payloads that they may not see; `patient`: an answer that must not be refused, because what was asked for is done. */
export type RedactResponse = (json: Json, patient: boolean, masks?: readonly MaskPath[] | null) => Json | Promise<Json>;

/** Where payloads, messages and the like stand in answers; all else is structure and stays as it is. */
export const REDACTED_FIELDS: ReadonlySet<string> = new Set([
  'input',
  'inputs',
  'output',
  'message',
  'taskMessage',
  'sample',
  'value',
  'reason',
  // Of what a job waits for: made of its input. Of decisions: what somebody wrote.
  'title',
  'comment',
  'before',
  'after',
  'externalId',
  'labels',
  // Of differences and causes: names of members, which are data too. Of failures: what code throws as its own.
  'path',
  'code',
  // Of logs, with all the fields that a sender gave them.
  'records',
  '_msg',
]);
/** Answers that are a payload from end to end. */
const WHOLE: ReadonlySet<RouteName> = new Set<RouteName>(['jobs.input', 'tasks.input', 'tasks.output', 'events.send']);
const AGAIN_MS = 50;
/** What waits for the thread's queue, in queues like that one. */
const QUEUES = 2;

/**
 * Operators see `[secret NAME]` where a payload or a message holds the value of a secret, and so do clients of events whose
 * workflows may have put it there. Short answers are looked through here, long ones in the thread. OVERLOADED where too much waits for it.
 */
export function createResponseRedaction({
  secrets,
  redactionThread,
  limits,
}: {
  secrets: Pick<Secrets, 'redactor' | 'watch'>;
  redactionThread: Offload;
  limits: Readonly<Pick<Limits, 'heavyAnswerBytes' | 'heavyQueueBytes'>>;
}): (name: RouteName) => RedactResponse {
  let any = false;
  secrets.watch((all) => (any = all.some(({ value }) => value.length >= MIN_REDACTED_CHARACTERS)));

  /** Bytes of answers that wait for their turn in the thread. */
  let waiting = 0;

  async function inThread(
    json: Json,
    whole: boolean,
    patient: boolean,
    masks: readonly MaskPath[] | null,
  ): Promise<Json> {
    let bytes = toTransferable(typeof json === 'string' ? Buffer.from(json) : json);
    const { byteLength } = bytes;
    for (;;) {
      try {
        return await redactionThread.call('redactResponse', { whole, json: bytes, masks }, [bytes]);
      } catch (error) {
        // What the queue refuses stays here; what went to a thread that ended is gone with it.
        const gone = bytes.byteLength < byteLength;
        if (
          !(error instanceof Fault && error.code === 'OVERLOADED') ||
          (gone && !(patient && typeof json === 'string'))
        )
          throw error;
        if (gone) bytes = toTransferable(Buffer.from(json));
        if (!(patient || waiting + byteLength <= QUEUES * limits.heavyQueueBytes)) throw error;
        waiting += byteLength;
        await wait(AGAIN_MS);
        waiting -= byteLength;
      }
    }
  }

  return (name) => {
    const whole = WHOLE.has(name);
    return (json, patient, masks = null) => {
      if (!any && masks === null) return json;
      if (json.length >= limits.heavyAnswerBytes) return inThread(json, whole, patient, masks);
      const redacted = secrets.redactor.json(jsonText(json), whole ? undefined : REDACTED_FIELDS);
      return masks ? maskPaths(redacted, masks, whole) : redacted;
    };
  };
}

/** The text; it is made of bytes where it is that. */
export const jsonText = (json: Json): string =>
  typeof json === 'string' ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString();
