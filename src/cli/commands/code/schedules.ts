import type { Schedule, ScheduleBody } from '../../../contract/schedules.ts';
import { ENVIRONMENTS } from '../../../contract/vocabulary.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { isOneOf } from '../../../lib/is-one-of.ts';
import { isRecord } from '../../../lib/is-record.ts';
import type { MasterApi } from '../../api-client.ts';

/** Schedules of a workflow in its file: as `POST /api/v1/schedules` takes them, what is as by default left out. */
export type FileSchedule = Omit<ScheduleBody, 'workflowId'>;

/** One of the master and one of the file that take each other's place; null: there is none. */
export interface ScheduleChange {
  readonly on: Schedule | null;
  readonly file: FileSchedule | null;
}

type Api = Pick<MasterApi, 'call'>;
const PAGE = 500;
const TIMINGS = ['cron', 'everySeconds', 'at'] as const;
const TIMES: ReadonlySet<string> = new Set(['at', 'startAt', 'endAt']);

const DEFAULTS: Omit<Required<FileSchedule>, 'environment' | 'paused'> = {
  cron: null,
  everySeconds: null,
  at: null,
  timeZone: 'UTC',
  startAt: null,
  endAt: null,
  inputs: null,
  inputExpression: null,
  overlap: 'allow',
  catchUpSeconds: 3600,
  jitterSeconds: 0,
  priority: 0,
  labels: null,
  description: null,
};
const SETTINGS = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];
const MEMBERS: ReadonlySet<string> = new Set([...SETTINGS, 'environment', 'paused']);

/** Why a file's `schedules` are none; null: they are, as far as the file tells. The master checks the rest. */
export function schedulesFault(value: unknown): string | null {
  if (!Array.isArray(value)) return '"schedules" must be a list';
  for (const [i, one] of value.entries()) {
    const at = `"schedules/${i}"`;
    if (!isRecord(one) || !isOneOf(ENVIRONMENTS, one['environment']))
      return `${at} must be an object with an "environment": ${ENVIRONMENTS.join(', ')}`;
    if (TIMINGS.filter((name) => one[name] !== undefined && one[name] !== null).length !== 1)
      return `${at} must have exactly one of ${TIMINGS.join(', ')}`;
    const unknown = Object.keys(one).find((name) => !MEMBERS.has(name));
    if (unknown !== undefined) return `${at} has an unknown member "${unknown}"`;
  }
  return null;
}

export async function listSchedules(api: Api, workflowId: string): Promise<Schedule[]> {
  const all: Schedule[] = [];
  for (let page = 0; ; page++) {
    const query = { workflowId, page, size: PAGE };
    const found = await api.call('schedules.list', { query, lossless: true });
    all.push(...found.items);
    if (page + 1 >= found.totalPages) return all.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

/** As a file holds it: `paused` only where it is, the rest only where it differs from the default. */
export function toFile(schedule: Schedule | FileSchedule): FileSchedule {
  const kept = SETTINGS.flatMap((name) => {
    const value = plainValue(name, schedule[name]);
    return canonicalJson(value) === canonicalJson(DEFAULTS[name]) ? [] : [[name, value] as const];
  });
  return {
    environment: schedule.environment,
    ...Object.fromEntries(kept),
    ...(schedule.paused === true ? { paused: true } : {}),
  };
}

/** One value for what means the same. */
function plainValue(name: keyof typeof DEFAULTS, value: unknown): unknown {
  if (value === undefined || value === null) return DEFAULTS[name];
  if (name === 'inputs' && canonicalJson(value) === canonicalJson([{}])) return null;
  if (name === 'labels' && isRecord(value) && Object.keys(value).length === 0) return null;
  const time = TIMES.has(name) ? Date.parse(String(value)) : Number.NaN;
  return Number.isNaN(time) ? value : new Date(time).toISOString();
}

/** Whoever paused one on the master is not overruled by a file: it counts only where one is created. */
const textOf = (schedule: Schedule | FileSchedule): string => canonicalJson({ ...toFile(schedule), paused: undefined });

/** What a push would change; null in a file: its schedules are none of its business. */
export function scheduleChanges(wanted: readonly FileSchedule[] | null, there: readonly Schedule[]): ScheduleChange[] {
  if (wanted === null) return [];
  const left = [...there];
  const missing = wanted.filter((file) => {
    const same = left.findIndex((on) => textOf(on) === textOf(file));
    if (same >= 0) left.splice(same, 1);
    return same < 0;
  });
  // One that changed keeps its history: it is told by its environment, and by its timing where that stayed.
  const changes: ScheduleChange[] = [];
  const alike = [
    (on: Schedule, file: FileSchedule) => TIMINGS.every((name) => toFile(on)[name] === toFile(file)[name]),
    () => true,
  ];
  for (const isAlike of alike)
    for (const file of [...missing]) {
      const on = left.find((one) => one.environment === file.environment && isAlike(one, file));
      if (!on) continue;
      left.splice(left.indexOf(on), 1);
      missing.splice(missing.indexOf(file), 1);
      changes.push({ on, file });
    }
  return [...changes, ...missing.map((file) => ({ on: null, file })), ...left.map((on) => ({ on, file: null }))];
}

/** Refuses a timing that the master would refuse, before anything is changed. */
export async function checkTimings(api: Api, changes: readonly ScheduleChange[]): Promise<void> {
  for (const { file } of changes) {
    if (!file) continue;
    const timing = Object.fromEntries(
      [...TIMINGS, 'timeZone' as const, 'startAt' as const, 'endAt' as const].flatMap((name) =>
        file[name] === undefined || file[name] === null ? [] : [[name, file[name]]],
      ),
    );
    await api.call('schedules.preview', { query: { ...timing, count: 1 } });
  }
}

export async function applyChanges(api: Api, workflowId: string, changes: readonly ScheduleChange[]): Promise<void> {
  for (const { on, file } of changes) {
    if (on && !file) await api.call('schedules.delete', { params: { id: on.id } });
    else if (file && !on) await api.call('schedules.create', { json: canonicalJson({ workflowId, ...file }) });
    else if (file && on) {
      const { environment: _environment, paused: _paused, ...settings } = file;
      const inputs = settings.inputs ?? (settings.inputExpression ? null : [{}]);
      await api.call('schedules.update', {
        params: { id: on.id },
        json: canonicalJson({ ...DEFAULTS, ...settings, inputs }),
      });
    }
  }
}

/** One line for people. */
export function scheduleLine({ on, file }: ScheduleChange): string {
  const sign = on === null ? '+' : file === null ? '-' : '~';
  const { environment, ...rest } = toFile(file ?? (on as Schedule));
  return `${sign} schedule in ${environment}: ${JSON.stringify(rest)}`;
}
