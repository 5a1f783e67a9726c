import { setTimeout as wait } from 'node:timers/promises';
import type { Limits } from '../../../contract/limits.ts';
import type { RouteName } from '../../../contract/routes.ts';
import { MIN_REDACTED_CHARACTERS } from '../../../contract/secret-names.ts';
import { Fault } from '../../../lib/fault.ts';
import { toTransferable } from '../../../lib/packed-inputs.ts';
import type { Offload } from '../../offload/port.ts';
import type { Secrets } from '../../secrets/port.ts';

/** JSON text, or its bytes. */
export type Json = string | Uint8Array;
/** What an operator is shown of an answer. `patient`: an answer that must not be refused, because what was asked for is done. */
export type RedactResponse = (json: Json, patient: boolean) => Json | Promise<Json>;

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
  'before',
  'after',
  'externalId',
  'labels',
  '_msg',
]);
/** Answers that are a payload from end to end. */
const WHOLE: ReadonlySet<RouteName> = new Set<RouteName>(['jobs.input', 'tasks.input', 'tasks.output']);
const AGAIN_MS = 200;

/**
 * Operators see `[secret NAME]` where a payload or a message holds the value of a secret. What clients of events get is
 * data, and stays. Short answers are looked through here, long ones in the thread. OVERLOADED where too much waits for it.
 */
export function createResponseRedaction({
  secrets,
  redactionThread,
  limits,
}: {
  secrets: Pick<Secrets, 'redactor' | 'watch'>;
  redactionThread: Offload;
  limits: Readonly<Pick<Limits, 'heavyAnswerBytes'>>;
}): (name: RouteName) => RedactResponse {
  let any = false;
  secrets.watch((all) => (any = all.some(({ value }) => value.length >= MIN_REDACTED_CHARACTERS)));

  async function inThread(json: Json, whole: boolean, patient: boolean): Promise<Json> {
    for (;;) {
      const bytes = toTransferable(typeof json === 'string' ? Buffer.from(json) : json);
      try {
        return await redactionThread.call('redactResponse', { whole, json: bytes }, [bytes]);
      } catch (error) {
        if (!patient || typeof json !== 'string' || !(error instanceof Fault && error.code === 'OVERLOADED'))
          throw error;
        await wait(AGAIN_MS);
      }
    }
  }

  return (name) => {
    const whole = WHOLE.has(name);
    return (json, patient) => {
      if (!any) return json;
      if (json.length >= limits.heavyAnswerBytes) return inThread(json, whole, patient);
      return secrets.redactor.json(jsonText(json), whole ? undefined : REDACTED_FIELDS);
    };
  };
}

/** The text; it is made of bytes where it is that. */
export const jsonText = (json: Json): string =>
  typeof json === 'string' ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString();
