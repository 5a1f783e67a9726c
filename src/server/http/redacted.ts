import type { RouteName } from '../../contract/routes.ts';
import type { Secrets } from '../secrets/port.ts';

/** What an operator is shown of an answer's text. */
export type Shown = (text: string) => string;

/** Where payloads, messages and the like stand in answers; all else is structure and stays as it is. */
export const HOLDERS: ReadonlySet<string> = new Set(['input', 'inputs', 'output', 'message', 'taskMessage', 'sample', 'value', 'reason', 'before', 'after', 'externalId', 'labels', '_msg']);
/** Answers that are a payload from end to end. */
const WHOLE: ReadonlySet<RouteName> = new Set<RouteName>(['getJobInput', 'getTaskInput', 'getTaskOutput']);

/** Operators see `[secret NAME]` where a payload or a message holds the value of a secret. What clients of events get is data, and stays. */
export function redacted(name: RouteName, secrets: Pick<Secrets, 'redactor'>): Shown {
  return (text) => secrets.redactor.json(text, WHOLE.has(name) ? undefined : HOLDERS);
}
