import type { Command } from 'commander';
import type { Schedule, SchedulePatch, ScheduleRun } from '../../contract/schedules.ts';
import { type Environment, ENVIRONMENTS, OVERLAPS, type Overlap } from '../../contract/vocabulary.ts';
import { apiCommand, paging, type PageFlags, type Session } from '../api-command.ts';
import { integer, option, time } from '../options.ts';
import type { ProcessIo } from '../process-io.ts';
import { namedValues, pageLine, pluralize, table } from '../text-table.ts';
import { readJson } from '../workflow-file.ts';

interface SettingFlags {
  cron?: string;
  every?: number;
  at?: string;
  timeZone?: string;
  inputs?: string;
  inputExpression?: string;
  overlap?: Overlap;
  catchUp?: number;
  jitter?: number;
  startAt?: string;
  endAt?: string;
  priority?: number;
  label?: string[];
  description?: string;
}

const YEAR_S = 366 * 86_400;

/** `yardmaster schedules …`: workflows that start by themselves. */
export function schedulesCommands(root: Command, io: ProcessIo): void {
  const group = root.command('schedules').description('workflows that start by themselves');

  const list = apiCommand(
    group,
    io,
    'list',
    'list schedules, newest first',
    async (
      session,
      { page, size, workflow, environment }: PageFlags & { workflow?: string; environment?: Environment },
    ) => {
      const query = { page, size, workflowId: workflow, environment };
      const found = await session.api.call('schedules.list', { query });
      session.show(found, () => [
        ...table(
          ['id', 'workflow', 'environment', 'when', 'next', 'last', 'outcome'],
          found.items.map((one) => [
            one.id,
            one.workflowId,
            one.environment,
            when(one),
            one.paused ? 'paused' : one.nextAt,
            one.lastAt,
            one.lastOutcome,
          ]),
          'no schedules',
        ),
        ...pageLine(found),
      ]);
    },
  );
  option(paging(list, io), io, '--workflow <id>', 'only of this workflow');
  option(list, io, '--environment <name>', 'only in this environment', { choices: ENVIRONMENTS });

  apiCommand(group, io, 'show <id>', 'show a schedule', async (session, _flags, id) => {
    show(session, await session.api.call('schedules.get', { params: { id } }));
  });

  const create = apiCommand(
    group,
    io,
    'create <workflow> <environment>',
    'start a workflow at due times: --cron, --every or --at',
    async (session, flags: SettingFlags & { paused?: boolean }, workflowId, environment) => {
      const settings = await settingsOf(flags, io);
      // What is no environment is refused by the master, which says what there are.
      const body = { workflowId, environment: environment as Environment, ...settings };
      const paused = flags.paused === true ? { paused: true } : {};
      show(session, await session.api.call('schedules.create', { body: { ...body, ...paused } }));
    },
  );
  settingOptions(create, io);
  option(create, io, '--paused', 'paused until it is resumed');

  const update = apiCommand(group, io, 'update <id>', 'change a schedule', async (session, flags: SettingFlags, id) => {
    show(session, await session.api.call('schedules.update', { params: { id }, body: await settingsOf(flags, io) }));
  });
  settingOptions(update, io);

  apiCommand(group, io, 'delete <id>', 'delete a schedule; its jobs stay', async (session, _flags, id) => {
    await session.api.call('schedules.delete', { params: { id } });
    session.show({ id }, () => [`schedule ${id} deleted`]);
  });
  apiCommand(group, io, 'pause <id>', 'start nothing until it is resumed', async (session, _flags, id) => {
    show(session, await session.api.call('schedules.pause', { params: { id } }));
  });
  apiCommand(group, io, 'resume <id>', 'go on with the next due time', async (session, _flags, id) => {
    show(session, await session.api.call('schedules.resume', { params: { id } }));
  });
  apiCommand(group, io, 'run <id>', 'start a job now', async (session, _flags, id) => {
    const started = await session.api.call('schedules.run', { params: { id } });
    session.show(started, () => [`job ${started.jobId} started`]);
  });

  const runs = apiCommand(
    group,
    io,
    'runs <id>',
    'what became of each due time, newest first',
    async (session, { page, size, from, to }: PageFlags & { from?: string; to?: string }, id) => {
      const found = await session.api.call('schedules.runs', { params: { id }, query: { page, size, from, to } });
      session.show(found, () => [
        ...table(
          ['due', 'outcome', 'late s', 'job', 'kind', 'reason'],
          found.items.map((one) => [one.dueAt, one.outcome, lateSeconds(one), one.jobId, one.kind, one.reason]),
          'nothing was due yet',
        ),
        ...pageLine(found),
      ]);
    },
  );
  range(paging(runs, io), io);

  const preview = apiCommand(
    group,
    io,
    'preview',
    'show the next due times without creating a schedule',
    async (session, flags: SettingFlags & { from?: string; count?: number }) => {
      const { cron, every, at, timeZone, startAt, endAt, from, count } = flags;
      const query = { cron, everySeconds: every, at, timeZone, startAt, endAt, from, count };
      const { times } = await session.api.call('schedules.preview', { query });
      session.show({ times }, () => (times.length === 0 ? ['never due'] : times));
    },
  );
  timingOptions(preview, io);
  option(preview, io, '--from <time>', 'due at or after: a time, or an age', { parse: (text) => time(text) });
  option(preview, io, '--count <n>', 'so many (default 10)', { parse: integer(1, 1000) });

  const backfill = apiCommand(
    group,
    io,
    'backfill <id>',
    'start the due times of a past range that have no job',
    async (
      session,
      { from = '', to, dryRun, rate }: { from?: string; to?: string; dryRun?: boolean; rate?: number },
      id,
    ) => {
      const body = {
        ...{ from, to: to ?? new Date().toISOString() },
        ...(dryRun === true ? { dryRun } : {}),
        ...(rate === undefined ? {} : { perMinute: rate }),
      };
      const answer = await session.api.call('schedules.backfill', { params: { id }, body });
      session.show(answer, () => [
        'operationId' in answer
          ? `starting ${pluralize(answer.count, 'job')}: yardmaster operations show ${answer.operationId}`
          : `${pluralize(answer.count, 'job')} would be started`,
      ]);
    },
  );
  range(backfill, io);
  option(backfill, io, '--dry-run', 'only count');
  option(backfill, io, '--rate <n>', 'jobs per minute (default 600)', { parse: integer(1, 60_000) });
}

function range(command: Command, io: ProcessIo): void {
  option(command, io, '--from <time>', 'due at or after: a time, or an age such as 2h, 7d', {
    parse: (text) => time(text),
  });
  option(command, io, '--to <time>', 'due before: as --from', { parse: (text) => time(text) });
}

function timingOptions(command: Command, io: ProcessIo): void {
  option(command, io, '--cron <expression>', 'five fields, or six with seconds first; or @daily and the like');
  option(command, io, '--every <seconds>', 'each so many seconds', { parse: integer(1, YEAR_S) });
  option(command, io, '--at <time>', 'once, at this time');
  option(command, io, '--time-zone <name>', 'IANA name such as Europe/Berlin (default UTC)');
  option(command, io, '--start-at <time>', 'not due before');
  option(command, io, '--end-at <time>', 'not due from then on');
}

function settingOptions(command: Command, io: ProcessIo): void {
  timingOptions(command, io);
  option(command, io, '--inputs <file>', 'JSON array of inputs ("-": standard input; default: one empty object)');
  option(
    command,
    io,
    '--input-expression <jsonata>',
    'inputs by JSONata over the due time: {"day": $substring(dueAt, 0, 10)}',
  );
  option(command, io, '--overlap <policy>', 'while the job before still runs (default allow)', { choices: OVERLAPS });
  option(command, io, '--catch-up <seconds>', 'after an absence, start due times up to this age (default 3600)', {
    parse: integer(0, YEAR_S),
  });
  option(command, io, '--jitter <seconds>', 'start up to so much later', { parse: integer(0, 86_400) });
  option(command, io, '--priority <n>', '-100 to 100, higher first', { parse: Number });
  option(command, io, '--label <key=value>', 'label of the jobs; repeatable', {
    parse: (text: string, before: string[] | undefined) => [...(before ?? []), text],
  });
  option(command, io, '--description <text>', 'what it is for');
}

/** As the API takes them; what was not given is left out. */
async function settingsOf(flags: SettingFlags, io: ProcessIo): Promise<SchedulePatch> {
  const { cron, every, at, timeZone, inputs, inputExpression, overlap, catchUp, jitter } = flags;
  const { startAt, endAt, priority, label, description } = flags;
  return {
    ...(cron === undefined ? {} : { cron }),
    ...(every === undefined ? {} : { everySeconds: every }),
    ...(at === undefined ? {} : { at }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(inputs === undefined ? {} : { inputs: await readJson<unknown[]>(inputs, io) }),
    ...(inputExpression === undefined ? {} : { inputExpression }),
    ...(overlap === undefined ? {} : { overlap }),
    ...(catchUp === undefined ? {} : { catchUpSeconds: catchUp }),
    ...(jitter === undefined ? {} : { jitterSeconds: jitter }),
    ...(startAt === undefined ? {} : { startAt }),
    ...(endAt === undefined ? {} : { endAt }),
    ...(priority === undefined ? {} : { priority }),
    ...(label === undefined ? {} : { labels: Object.fromEntries(label.map(pairOf)) }),
    ...(description === undefined ? {} : { description }),
  };
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

const when = ({ cron, everySeconds, at, timeZone }: Schedule): string =>
  cron === null ? (everySeconds === null ? (at ?? '') : `every ${everySeconds} s`) : `${cron} (${timeZone})`;

const lateSeconds = ({ dueAt, startedAt }: ScheduleRun): number | null =>
  startedAt === null ? null : Math.round((Date.parse(startedAt) - Date.parse(dueAt)) / 100) / 10;

function show(session: Session, schedule: Schedule): void {
  session.show(schedule, () =>
    namedValues({
      schedule: schedule.id,
      workflow: schedule.workflowId,
      environment: schedule.environment,
      when: when(schedule),
      next: schedule.paused ? 'paused' : schedule.nextAt,
      last: schedule.lastAt,
      outcome: schedule.lastOutcome,
      overlap: schedule.overlap,
      'catch-up s': schedule.catchUpSeconds,
      'jitter s': schedule.jitterSeconds,
      ...(schedule.startAt === null ? {} : { from: schedule.startAt }),
      ...(schedule.endAt === null ? {} : { until: schedule.endAt }),
      ...(schedule.waitingAt === null ? {} : { waiting: schedule.waitingAt }),
      inputs: schedule.inputExpression ?? JSON.stringify(schedule.inputs),
      ...(schedule.description === null ? {} : { description: schedule.description }),
      by: schedule.createdBy,
    }),
  );
}
