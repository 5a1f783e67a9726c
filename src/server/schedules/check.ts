import type { ScheduleBody, SchedulePatch } from '../../contract/schedules.ts';
import { Fault } from '../../lib/fault.ts';
import { jsonTextOf } from '../../lib/packed-inputs.ts';
import type { Spec } from './rows.ts';
import { cronFault, isTimeZone } from './times.ts';

/** A schedule that says nothing else. */
const DEFAULTS: Spec = {
  cron: null,
  everySeconds: null,
  at: null,
  timeZone: 'UTC',
  startAt: null,
  endAt: null,
  inputs: '[{}]',
  inputExpression: null,
  overlap: 'allow',
  catchUpSeconds: 3600,
  jitterSeconds: 0,
  priority: 0,
  labels: {},
  description: null,
};

const TIMINGS = ['cron', 'everySeconds', 'at'] as const;
const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/**
 * What a schedule is to be: what was asked for over what it is, or over the defaults. Throws VALIDATION_FAILED with a reason
 * at each field.
 *
 * @param inputs with their numbers as they came; undefined: not given
 */
export function changedSpec(
  asked: Omit<ScheduleBody, 'workflowId' | 'environment'> | SchedulePatch,
  inputs: readonly unknown[] | null | undefined,
  before: Spec = DEFAULTS,
): Spec {
  const errors: { pointer: string; message: string }[] = [];
  const given = TIMINGS.filter((name) => asked[name] !== undefined && asked[name] !== null);
  if (given.length > 1)
    errors.push({
      pointer: `/${given[1] ?? ''}`,
      message: `is given together with ${given[0] ?? ''}: expected one of cron, everySeconds and at`,
    });
  const hasExpression = asked.inputExpression !== undefined && asked.inputExpression !== null;
  if (hasExpression && inputs !== undefined && inputs !== null)
    errors.push({ pointer: '/inputExpression', message: 'is given together with inputs: expected one of them' });
  // Another kind of timing takes the place of the one before.
  const timing =
    given.length === 0
      ? { ...pick(before, asked) }
      : { cron: asked.cron ?? null, everySeconds: asked.everySeconds ?? null, at: timeOf(asked.at ?? null) };
  const spec: Spec = {
    ...timing,
    timeZone: asked.timeZone ?? before.timeZone,
    startAt: asked.startAt === undefined ? before.startAt : timeOf(asked.startAt),
    endAt: asked.endAt === undefined ? before.endAt : timeOf(asked.endAt),
    ...inputsOf(asked.inputExpression, inputs, before),
    overlap: asked.overlap ?? before.overlap,
    catchUpSeconds: asked.catchUpSeconds ?? before.catchUpSeconds,
    jitterSeconds: asked.jitterSeconds ?? before.jitterSeconds,
    priority: asked.priority ?? before.priority,
    labels: asked.labels === undefined ? before.labels : (asked.labels ?? {}),
    description: asked.description === undefined ? before.description : asked.description,
  };
  if (spec.cron === null && spec.everySeconds === null && spec.at === null)
    errors.push({ pointer: '/cron', message: 'is missing: expected one of cron, everySeconds and at' });
  errors.push(...timingErrors(spec));
  if (errors.length > 0) throw refused(errors);
  return spec;
}

/** Faults of a timing, by the names of its fields. */
export function timingErrors({
  cron,
  timeZone,
  startAt,
  endAt,
}: Pick<Spec, 'cron' | 'timeZone' | 'startAt' | 'endAt'>): { pointer: string; message: string }[] {
  const errors: { pointer: string; message: string }[] = [];
  const fault = cron === null ? null : cronFault(cron);
  if (fault !== null) errors.push({ pointer: '/cron', message: fault });
  if (!isTimeZone(timeZone))
    errors.push({ pointer: '/timeZone', message: `must be an IANA time zone such as Europe/Berlin; got ${timeZone}` });
  if (startAt !== null && endAt !== null && endAt <= startAt)
    errors.push({ pointer: '/endAt', message: 'must be after startAt' });
  return errors;
}

export const refused = (errors: { pointer: string; message: string }[]): Fault =>
  new Fault('VALIDATION_FAILED', `the schedule is not valid: ${errors[0]?.pointer.slice(1)} ${errors[0]?.message}`, {
    errors,
  });

/** The timing as it is, without what was asked to be taken away. */
const pick = (before: Spec, asked: SchedulePatch): Pick<Spec, 'cron' | 'everySeconds' | 'at'> => ({
  cron: asked.cron === null ? null : before.cron,
  everySeconds: asked.everySeconds === null ? null : before.everySeconds,
  at: asked.at === null ? null : before.at,
});

function inputsOf(
  expression: string | null | undefined,
  inputs: readonly unknown[] | null | undefined,
  before: Spec,
): Pick<Spec, 'inputs' | 'inputExpression'> {
  if (expression !== undefined && expression !== null) return { inputs: null, inputExpression: expression };
  if (inputs !== undefined && inputs !== null)
    return { inputs: `[${inputs.map(jsonTextOf).join(',')}]`, inputExpression: null };
  if (expression === null && before.inputs === null) return { inputs: DEFAULTS.inputs, inputExpression: null };
  return { inputs: before.inputs, inputExpression: before.inputExpression };
}
