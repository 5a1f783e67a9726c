import { afterEach, beforeEach, expect, it } from 'vitest';
import { done, failed } from '../../testing/worker.fake.ts';
import { openRig, type Rig, workflow } from '../../testing/engine.fixture.ts';
import { TASKS } from './job-graph.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const flow = () =>
  workflow({ check: { type: 'condition', config: { expression: '$' } }, yes: {}, no: {} }, [
    'input>check',
    'check>yes:true',
    'check>no:false',
    'yes>output',
    'no>output',
  ]);
const at = (graph: Awaited<ReturnType<Rig['jobs']['graph']>>, node: string) =>
  graph.nodes.find((one) => one.node === node);

it('counts what the replicas of a job came to at each node, skipped branches too', async () => {
  const worker = await rig.worker({ capacity: 10 });
  const jobId = await rig.submit(flow(), [{ i: 0 }, { i: 1 }]);
  const first = await worker.lease();
  const second = await worker.lease();
  worker.report(done(first, true, 'true', rig.clock.now()));
  worker.report(failed(second, { code: 'NON_RETRYABLE', retryable: false }, rig.clock.now()));
  const yes = await worker.lease();
  worker.report(done(yes, 1, undefined, rig.clock.now()));
  await rig.jobs.wait(jobId, 60);
  const graph = await rig.jobs.graph(jobId);
  expect(graph.replicas).toBe(2);
  expect(at(graph, 'check')).toMatchObject({ states: { COMPLETED: 1, FAILED: 1 } });
  expect(at(graph, 'no')).toMatchObject({ skipped: 1, waiting: 1 });
  expect(graph.taken).toContain(JSON.stringify(['check', 'yes', 'true']));
  expect(graph.taken).not.toContain(JSON.stringify(['check', 'no', 'false']));
});

it('adds up a job of several thousand tasks, and leaves the event loop free meanwhile', async () => {
  const jobId = await rig.submit(workflow({ a: {} }, ['input>a', 'a>output']), [{ i: 0 }]);
  await rig.store.write((db) => {
    const columns = db
      .query<{ name: string }>(`SELECT name FROM pragma_table_info('task')`)
      .all()
      .map(({ name }) => name);
    const values = columns.map((name) => ({ seq: 'seq + n', id: "id || '-' || n", replica: 'n' })[name] ?? name);
    db.statement(
      `WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 3499) INSERT INTO task (${columns.join(', ')}) SELECT ${values.join(', ')} FROM task, more`,
    ).run();
    db.statement('UPDATE job SET input_count = 4000').run();
  });
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const graph = await rig.jobs.graph(jobId);
  clearInterval(timer);
  expect(at(graph, 'a')).toMatchObject({ states: { READY: 3500 }, waiting: 500 });
  expect(turns).toBeGreaterThan(0);
});

it('says that there is no such job', async () => {
  await expect(rig.jobs.graph('01900000-0000-7000-8000-000000000000')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
});

it('reads the tasks of one job by its index', () => {
  const planOf = (sql: string, ...values: number[]) =>
    rig.store.read
      .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map(({ detail }) => detail)
      .join('; ');
  for (const plan of [
    planOf(TASKS.statements.restOfReplica, 1, 0, 0, 10),
    planOf(TASKS.statements.restOfItems, 1, 0, -1, 0, 10),
    planOf(TASKS.statements.nextReplicas, 1, 0, 10),
  ]) {
    expect(plan).toContain('task_by_job (job=? AND replica');
    expect(plan).not.toContain('TEMP B-TREE');
  }
});
