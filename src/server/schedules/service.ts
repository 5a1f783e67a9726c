import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { iso } from '../../lib/clock.ts';
import { Fault, invalidAt } from '../../lib/fault.ts';
import { pageOf } from '../../lib/page.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { AuditItem } from '../access/port.ts';
import type { Actor } from '../workflows/port.ts';
import type { WriteHandle } from '../store/port.ts';
import { createBackfills } from './backfills.ts';
import { changedSpec, refused, timingErrors } from './check.ts';
import type { SchedulesDeps } from './schedules.ts';
import type { BackfillRange, Schedules } from './port.ts';
import { putRun } from './put-run.ts';
import { runView, scheduleView, specOf, timingOf, type RunRow, type ScheduleRow, type Spec } from './rows.ts';
import { createScheduler, startOf } from './scheduler.ts';
import * as sql from './sql.ts';
import { startJob } from './start.ts';
import { dueAfter, nextDue, type Timing } from './times.ts';

/** Due times that are looked at before the event loop gets its turn. */
const SLICE = 50;
const PREVIEW = 10;
const PER_MINUTE = 600;
const FOREVER = Number.MAX_SAFE_INTEGER;

/** Schedules themselves: loaded once there is one. */
export function openSchedules(deps: SchedulesDeps): Omit<Schedules, 'trouble'> {
  const { store, limits, jobs, isActive, audit, feed, now } = deps;
  const { read } = store;
  const { operations } = jobs;
  const backfills = createBackfills({ ...deps, operations, progressed: (id) => feed.publish('operation', id) });
  const scheduler = createScheduler({ ...deps, backfills });
  scheduler.wake();

  function rowOf(id: string, db: Pick<WriteHandle, 'query'> = read): ScheduleRow {
    const row = db.query<ScheduleRow>(sql.BY_ID).get(id);
    if (!row) throw new Fault('SCHEDULE_NOT_FOUND', `schedule ${id.slice(0, 100)} not found`);
    return row;
  }

  const entry = (row: ScheduleRow, action: string, before: unknown, after: unknown): AuditItem => ({
    action: `schedule.${action}`,
    target: `schedule:${row.id}`,
    before,
    after,
  });
  /** For the audit log: inputs are payloads, and stay out of it. */
  const noted = (row: ScheduleRow) => {
    const { inputs, ...spec } = specOf(row);
    return {
      workflowId: row.workflow_id,
      environment: row.environment,
      ...spec,
      hasInputs: inputs !== null,
      paused: row.paused === 1,
    };
  };

  /** Due times in a range, `to` exclusive, that have no job. */
  async function missing(row: ScheduleRow, from: number, to: number): Promise<number[]> {
    const timing = timingOf(row, specOf(row));
    const started = new Set(
      read
        .query<{ due_at: number }>(sql.STARTED_BETWEEN)
        .all(row.id, from, to)
        .map(({ due_at: due }) => due),
    );
    const found: number[] = [];
    let looked = 0;
    for (let due = dueAfter(timing, from - 1); due !== null && due < to; due = dueAfter(timing, due)) {
      if (!started.has(due)) found.push(due);
      if (found.length > limits.scheduleBackfillRuns)
        throw invalidAt(
          '/to',
          `more than ${limits.scheduleBackfillRuns} due times lie in this range: choose a shorter one`,
          `has more than ${limits.scheduleBackfillRuns} due times before it (limit scheduleBackfillRuns)`,
        );
      if (++looked % SLICE === 0) await turnOfTheLoop();
    }
    return found;
  }

  function rangeOf({ from, to }: BackfillRange): [number, number] {
    const range: [number, number] = [Date.parse(from), Date.parse(to)];
    if (range[1] <= range[0]) throw invalidAt('/to', 'the range is empty: to must be after from', 'must be after from');
    if (range[1] > now())
      throw invalidAt('/to', 'a backfill is of the past: to must not be in the future', 'must not be in the future');
    return range;
  }

  /** Writes a changed schedule; its next due time is the first from now on where it may have changed. */
  function put(db: WriteHandle, row: ScheduleRow, spec: Spec, paused: boolean, isRetimed: boolean): ScheduleRow {
    const next = paused ? null : isRetimed ? nextDue({ ...spec, createdAt: row.created_at }, now()) : row.next_at;
    const start = isRetimed || paused ? startOf(row.id, next, spec) : row.start_at;
    const waiting = spec.overlap === 'queue' && !paused ? row.waiting_at : null;
    if (row.waiting_at !== null && waiting === null) {
      const reason = `the schedule was ${paused ? 'paused' : 'changed'} while this due time waited for the end of a job`;
      putRun(db, limits, {
        ...{ schedule: row.id, due: row.waiting_at, kind: 'schedule', at: now(), jobId: null },
        ...{ outcome: 'SKIPPED', reason, trouble: null },
      });
    }
    db.statement(sql.UPDATE).run(JSON.stringify(spec), Number(paused), next, start, waiting, now(), row.id);
    return rowOf(row.id, db);
  }

  const change = async (
    id: string,
    actor: Actor,
    action: string,
    what: (row: ScheduleRow) => { spec: Spec; paused: boolean },
  ) => {
    const after = await store.write((db) => {
      const row = rowOf(id, db);
      const { spec, paused } = what(row);
      const before = specOf(row);
      const isRetimed = TIMING.some((name) => spec[name] !== before[name]) || (row.paused === 1 && !paused);
      const changed = put(db, row, spec, paused, isRetimed);
      audit.record(db, actor, entry(row, action, noted(row), noted(changed)));
      return changed;
    });
    scheduler.wake();
    return scheduleView(after);
  };

  return {
    async list({ page, size, workflowId, environment, paused, within = null }) {
      const conditions = [
        ...(workflowId === undefined ? [] : [['workflow_id = ?', workflowId] as const]),
        ...(environment === undefined ? [] : [['environment = ?', environment] as const]),
        ...(paused === undefined ? [] : [['paused = ?', Number(paused)] as const]),
        ...(within === null
          ? []
          : [['workflow_id IN (SELECT value FROM json_each(?))', JSON.stringify(within)] as const]),
      ];
      const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(([text]) => text).join(' AND ')}`;
      const values = conditions.map(([, value]) => value);
      const total = read.query<{ n: number }>(`SELECT count(*) AS n FROM schedule${where}`).get(...values)?.n ?? 0;
      const rows = read
        .query<ScheduleRow>(`SELECT * FROM schedule${where} ORDER BY id DESC LIMIT ? OFFSET ?`)
        .all(...values, size, page * size);
      return pageOf(rows.map(scheduleView), { page, size }, total);
    },
    get: async (id) => scheduleView(rowOf(id)),
    async create({ workflowId, environment, paused = false, ...asked }, lossless, actor) {
      if (!(await isActive(workflowId)))
        throw new Fault('WORKFLOW_NOT_FOUND', `workflow ${workflowId.slice(0, 100)} not found`);
      const spec = changedSpec(asked, lossless);
      const at = now();
      // Intervals are counted from whole seconds.
      const createdAt = Math.floor(at / 1000) * 1000;
      const id = uuidv7(at);
      const next = nextDue({ ...spec, createdAt }, at);
      if (next === null)
        throw refused([{ pointer: spec.at === null ? '/endAt' : '/at', message: 'leaves no due time in the future' }]);
      const row = await store.write((db) => {
        const { n } = db.query<{ n: number }>(sql.COUNT).get() ?? { n: 0 };
        if (n >= limits.schedules)
          throw new Fault(
            'VALIDATION_FAILED',
            `the maximum of ${limits.schedules} schedules is reached (limit schedules): delete one first`,
          );
        const due = paused ? null : next;
        db.statement(sql.INSERT).run(
          id,
          workflowId,
          environment,
          JSON.stringify(spec),
          Number(paused),
          due,
          startOf(id, due, spec),
          createdAt,
          at,
          actor.name,
        );
        const made = rowOf(id, db);
        audit.record(db, actor, entry(made, 'create', null, noted(made)));
        return made;
      });
      scheduler.wake();
      return scheduleView(row);
    },
    update: (id, { paused, ...patch }, lossless, actor) =>
      change(id, actor, 'update', (row) => ({
        spec: changedSpec(patch, lossless, specOf(row)),
        paused: paused ?? row.paused === 1,
      })),
    async remove(id, actor) {
      const ended = await store.write((db) => {
        const row = rowOf(id, db);
        for (const statement of [sql.DELETE, sql.DELETE_RUNS]) db.statement(statement).run(id);
        audit.record(db, actor, entry(row, 'delete', noted(row), null));
        return backfills.abandon(db, id);
      });
      for (const operation of ended) feed.publish('operation', operation);
    },
    setPaused: (id, paused, actor) =>
      change(id, actor, paused ? 'pause' : 'resume', (row) => ({ spec: specOf(row), paused })),
    async run(id, actor) {
      const row = rowOf(id);
      let due = now();
      while (read.query(sql.RUN_AT).get(id, due)) due++;
      const made = await startJob(deps, row, due, 'manual', {
        claim: (db) => db.query(sql.RUN_AT).get(id, due) === undefined,
        made(db, jobId) {
          const reason = `started by ${actor.name}`;
          putRun(db, limits, {
            ...{ schedule: id, due, kind: 'manual', at: now(), jobId, outcome: 'STARTED', reason, trouble: null },
          });
          audit.record(db, actor, entry(row, 'run', null, { jobId }));
        },
      });
      if (made === null) throw new Fault('OVERLOADED', 'another start took this very millisecond: try again');
      return { jobId: made.jobId, status: 'RUNNING' };
    },
    async runs(id, { page, size, from, to }) {
      rowOf(id);
      const range = [from === undefined ? 0 : Date.parse(from), to === undefined ? FOREVER : Date.parse(to)];
      const total = read.query<{ n: number }>(sql.COUNT_RUNS).get(id, ...range)?.n ?? 0;
      const rows = read.query<RunRow>(sql.RUNS).all(id, ...range, size, page * size);
      return pageOf(rows.map(runView), { page, size }, total);
    },
    async backfillCount(id, range) {
      return (await missing(rowOf(id), ...rangeOf(range))).length;
    },
    async backfill(id, range, actor) {
      const row = rowOf(id);
      const found = await missing(row, ...rangeOf(range));
      const most = limits.scheduleBackfills;
      if (read.query(sql.BACKFILLS).all().length >= most)
        throw new Fault('OVERLOADED', `${most} backfills are already running: wait for one to finish, or abort one`);
      const { operationId } = await operations.beginBackfill(
        { total: found.length, place: [row.workflow_id, row.environment], actor: actor.name },
        (db, operation) => {
          const perMinute = range.perMinute ?? PER_MINUTE;
          if (found.length > 0)
            db.statement(sql.INSERT_BACKFILL).run(operation, id, found[0] ?? null, Date.parse(range.to), perMinute);
          const { from, to } = range;
          audit.record(db, actor, entry(row, 'backfill', null, { from, to, count: found.length, operation }));
        },
      );
      scheduler.wake();
      return { operationId, count: found.length };
    },
    async preview({ cron, everySeconds, at, timeZone, startAt, endAt, from, to, count }) {
      const timing: Timing = {
        cron: cron ?? null,
        everySeconds: everySeconds ?? null,
        at: at === undefined ? null : Date.parse(at),
        timeZone: timeZone ?? 'UTC',
        startAt: startAt === undefined ? null : Date.parse(startAt),
        endAt: endAt === undefined ? null : Date.parse(endAt),
        createdAt: Math.floor(now() / 1000) * 1000,
      };
      const given = [cron, everySeconds, at].filter((one) => one !== undefined).length;
      const errors = timingErrors(timing);
      if (given !== 1) errors.push({ pointer: '/cron', message: 'expected exactly one of cron, everySeconds and at' });
      if (errors.length > 0) throw refused(errors);
      const times: string[] = [];
      const end = to === undefined ? FOREVER : Date.parse(to);
      let due = nextDue(timing, from === undefined ? now() : Date.parse(from) - 1);
      while (due !== null && due < end && times.length < (count ?? PREVIEW)) {
        times.push(iso(due));
        due = nextDue(timing, due);
        if (times.length % SLICE === 0) await turnOfTheLoop();
      }
      return times;
    },
    close: () => scheduler.close(),
  };
}

const TIMING = ['cron', 'everySeconds', 'at', 'timeZone', 'startAt', 'endAt', 'jitterSeconds'] as const;
