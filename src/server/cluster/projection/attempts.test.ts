import { afterEach, beforeEach, expect, it } from 'vitest';
import { query } from '../../testing/postgres.fixture.ts';
import { historyLine } from '../../state-machines/task-history.ts';
import { attemptsOf } from './attempts.ts';
import { CREATE_PROJECTION, PROJECTION_MIGRATIONS } from './schema.ts';
import { startProjection, type ProjectionRig } from './testing.fixture.ts';

const NOW = 1_790_000_000_000;

let projection: ProjectionRig;
beforeEach(async () => {
  projection = await startProjection();
});
afterEach(() => projection.close());

/** Failed at one worker, then done by another. */
const HISTORY = [
  historyLine(null, 'READY', NOW, 1, null, 'made'),
  historyLine('READY', 'SCHEDULED', NOW + 10, 1, 'w1', 'assigned'),
  historyLine('SCHEDULED', 'RUNNING', NOW + 20, 1, 'w1', 'started'),
  historyLine('RUNNING', 'FAILED', NOW + 70, 1, 'w1', 'BOOM'),
  historyLine('FAILED', 'READY', NOW + 100, 2, null, 'retried'),
  historyLine('READY', 'SCHEDULED', NOW + 130, 2, 'w2', 'assigned'),
  historyLine('SCHEDULED', 'RUNNING', NOW + 140, 2, 'w2', 'started'),
  historyLine('RUNNING', 'COMPLETED', NOW + 400, 2, 'w2', 'finished'),
].join('');
const ENTRIES = `${JSON.stringify({ attempt: 1, workerId: 'w1', startedAt: NOW + 20, failedAt: NOW + 70, code: 'BOOM', message: 'it broke', retryable: true })}\n`;

it('has a row for each attempt, also in tables that an earlier version made', async () => {
  const { owner, rig, tables, settled } = projection;
  await owner.store.write((db) => {
    db.statement("INSERT INTO workflow (id, name, created_at, updated_at) VALUES ('w', 'W', 1, 1)").run();
    db.statement(
      "INSERT INTO job (seq, id, workflow_id, environment, commit_hash, kind, response, input_count, created_at, updated_at, ready, status) VALUES (1, 'j1', 'w', 'dev', 'c', 'event', 'sync', 1, 1, 1, 1, 'RUNNING')",
    ).run();
    db.statement(
      "INSERT INTO task (seq, id, job, node, type, replica, state, attempt, retry_count, worker_id, ready_at, ready_deadline, history, entries) VALUES (8, 't8', 1, 'n', 'code', 0, 'COMPLETED', 2, 1, 'w2', 1, 2, ?, ?)",
    ).run(HISTORY, ENTRIES);
  });
  // What the first version left: everything is there, and no table of attempts.
  await query(rig.url, CREATE_PROJECTION);
  await query(rig.url, PROJECTION_MIGRATIONS[0]?.sql ?? '');
  const { last } = await rig.connect().look();
  await query(
    rig.url,
    `UPDATE yardmaster_sql.projection SET format = 1, turn = ${last}, extras = 'messages', build = 'b'`,
  );
  await tables.prepare();
  projection.project('b');
  await settled();
  const rows = await query(
    rig.url,
    'SELECT task_id, job_id, attempt, latest, state, worker_id, wait_ms::int, run_ms::int, error_code, error_message FROM yardmaster_sql.yardmaster_attempt ORDER BY attempt',
  );
  const of = { task_id: 't8', job_id: 'j1' };
  expect(rows).toEqual([
    {
      ...{ ...of, attempt: 1, latest: false, state: 'FAILED', worker_id: 'w1', wait_ms: 20, run_ms: 50 },
      ...{ error_code: 'BOOM', error_message: 'it broke' },
    },
    {
      ...{ ...of, attempt: 2, latest: true, state: 'COMPLETED', worker_id: 'w2', wait_ms: 40, run_ms: 260 },
      ...{ error_code: null, error_message: null },
    },
  ]);
  // They go with their task.
  await owner.store.write((db) => void db.statement('DELETE FROM task WHERE seq = 8').run());
  await settled();
  expect(await query(rig.url, 'SELECT * FROM yardmaster_sql.attempt')).toEqual([]);
});

it('knows what became of an attempt that waits, that nobody took, or whose retry was called off', () => {
  const of = (history: string, error: string | null) =>
    attemptsOf({
      ...{ seq: 1, attempt: 1, history, entries: '' },
      ...{ error_code: error, error_message: error, error_retryable: error === null ? null : 0 },
    });
  const ready = historyLine(null, 'READY', NOW, 1, null, 'made');
  expect(of(ready, null)).toMatchObject([{ state: 'READY', worker_id: null, ready_at: NOW, finished_at: null }]);
  expect(of(ready + historyLine('READY', 'SCHEDULE_TIMEOUT', NOW + 9, 1, null, ''), 'SCHEDULE_TIMEOUT')).toMatchObject([
    { state: 'SCHEDULE_TIMEOUT', started_at: null, finished_at: NOW + 9 },
  ]);
  const failed =
    historyLine('READY', 'SCHEDULED', NOW + 1, 1, 'w1', 'assigned') +
    historyLine('SCHEDULED', 'FAILED', NOW + 5, 1, 'w1', 'WORKER_LOST');
  expect(of(ready + failed + historyLine('FAILED', 'FAILED', NOW + 7, 1, 'w1', 'KILLED'), 'KILLED')).toMatchObject([
    { state: 'FAILED', worker_id: 'w1', started_at: null, finished_at: NOW + 7, error_code: 'KILLED' },
  ]);
});
