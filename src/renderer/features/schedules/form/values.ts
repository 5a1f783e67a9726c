import type { Schedule, SchedulePatch } from '../../../../contract/schedules.ts';
import type { Environment, Overlap } from '../../../../contract/vocabulary.ts';
import { parseJson } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';

export type Kind = 'cron' | 'every' | 'once';

/** What the fields of the form hold, as texts. */
export interface Values {
  readonly workflowId: string;
  readonly environment: Environment;
  readonly kind: Kind;
  readonly cron: string;
  readonly every: string;
  /** As a `datetime-local` field has it, in the time zone of the machine. */
  readonly at: string;
  readonly timeZone: string;
  readonly startAt: string;
  readonly endAt: string;
  readonly source: 'inputs' | 'expression';
  readonly inputs: string;
  readonly expression: string;
  readonly overlap: Overlap;
  readonly catchUp: string;
  readonly jitter: string;
  readonly priority: string;
  readonly labels: string;
  readonly description: string;
}

/** Of a new schedule, or of one that is changed. */
export function valuesOf(schedule: Schedule | null, workflowId: string, timeZone: string): Values {
  if (schedule === null)
    return {
      ...{ workflowId, environment: 'dev', kind: 'cron', cron: '0 7 * * MON-FRI', every: '3600', at: '' },
      ...{ timeZone, startAt: '', endAt: '', source: 'inputs', inputs: '[{}]', expression: '', overlap: 'allow' },
      ...{ catchUp: '3600', jitter: '0', priority: '0', labels: '', description: '' },
    };
  return {
    workflowId: schedule.workflowId,
    environment: schedule.environment,
    kind: schedule.cron !== null ? 'cron' : schedule.everySeconds !== null ? 'every' : 'once',
    cron: schedule.cron ?? '',
    every: String(schedule.everySeconds ?? ''),
    at: localText(schedule.at),
    timeZone: schedule.timeZone,
    startAt: localText(schedule.startAt),
    endAt: localText(schedule.endAt),
    source: schedule.inputExpression === null ? 'inputs' : 'expression',
    inputs: schedule.inputs === null ? '' : JSON.stringify(schedule.inputs, null, 2),
    expression: schedule.inputExpression ?? '',
    overlap: schedule.overlap,
    catchUp: String(schedule.catchUpSeconds),
    jitter: String(schedule.jitterSeconds),
    priority: String(schedule.priority),
    labels: Object.entries(schedule.labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(', '),
    description: schedule.description ?? '',
  };
}

/** `2027-01-31T08:30:00` in the machine's time zone. */
function localText(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

const instantOf = (text: string): string | null => {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};

/** The timing as the API takes it; null: it lacks something. */
export function timingOf(values: Values): Pick<SchedulePatch, 'cron' | 'everySeconds' | 'at'> | null {
  if (values.kind === 'cron') return values.cron.trim() === '' ? null : { cron: values.cron.trim() };
  if (values.kind === 'once') {
    const at = instantOf(values.at);
    return at === null ? null : { at };
  }
  const seconds = Number(values.every);
  return Number.isInteger(seconds) && seconds > 0 ? { everySeconds: seconds } : null;
}

export type Faults = Partial<Record<keyof Values, string>>;

/** What the API is sent, or what is wrong with the fields. */
export function settingsOf(values: Values): { settings: SchedulePatch } | { faults: Faults } {
  const faults: Faults = {};
  const timing = timingOf(values);
  if (timing === null)
    faults[values.kind === 'cron' ? 'cron' : values.kind === 'every' ? 'every' : 'at'] = t('Required.');
  if (values.workflowId === '') faults.workflowId = t('Required.');
  if (values.source === 'expression' && values.expression.trim() === '') faults.expression = t('Required.');
  const inputs = values.source === 'inputs' ? parseInputs(values.inputs) : null;
  if (values.source === 'inputs' && inputs === null) faults.inputs = t('Enter a JSON array.');
  const numbers = { catchUp: 0, jitter: 0, priority: 0 };
  for (const name of ['catchUp', 'jitter', 'priority'] as const) {
    numbers[name] = Number(values[name]);
    if (!Number.isInteger(numbers[name])) faults[name] = t('Enter a whole number.');
  }
  const labels = labelsOf(values.labels);
  if (labels === null) faults.labels = t('Write labels as name=value, separated by commas.');
  if (Object.keys(faults).length > 0 || timing === null) return { faults };
  return {
    settings: {
      ...timing,
      timeZone: values.timeZone,
      startAt: instantOf(values.startAt),
      endAt: instantOf(values.endAt),
      ...(values.source === 'expression' ? { inputExpression: values.expression } : { inputs }),
      overlap: values.overlap,
      catchUpSeconds: numbers.catchUp,
      jitterSeconds: numbers.jitter,
      priority: numbers.priority,
      labels,
      description: values.description.trim() === '' ? null : values.description.trim(),
    },
  };
}

/** With numbers as they are written; null: no array. */
function parseInputs(text: string): unknown[] | null {
  try {
    const value: unknown = parseJson(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function labelsOf(text: string): Record<string, string> | null {
  const pairs = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one): [string, string] => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]);
  return pairs.every(([name]) => /^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/.test(name)) ? Object.fromEntries(pairs) : null;
}

const FIELDS: Readonly<Record<string, keyof Values>> = {
  ...{ cron: 'cron', everySeconds: 'every', at: 'at', timeZone: 'timeZone', startAt: 'startAt', endAt: 'endAt' },
  ...{ inputs: 'inputs', inputExpression: 'expression', catchUpSeconds: 'catchUp', jitterSeconds: 'jitter' },
  ...{ priority: 'priority', labels: 'labels', description: 'description', workflowId: 'workflowId' },
};

/** The master's reasons, at the fields of the form. */
export function faultsFrom(errors: readonly { pointer: string; message: string }[]): Faults {
  const faults: Faults = {};
  for (const { pointer, message } of errors) {
    const field = FIELDS[pointer.split('/')[1] ?? ''];
    if (field !== undefined) faults[field] ??= message;
  }
  return faults;
}
