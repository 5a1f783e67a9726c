import { afterEach, beforeEach, expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';
import { createPlans } from './plan.ts';
import { jobFromRow, readyTask, taskFromRow } from './load-records.ts';
import type { JobRow, ReadyRow, TaskRow } from './rows.ts';
import { JOB_BY_ID, READY_OF_JOB, TASK_BY_SEQ } from './sql.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

/** A job that waits for a worker, and its tasks in both forms: as the queue reads them in, and from their whole rows. */
async function waiting(inputs: unknown[], changed = '') {
  const flow = workflow({ a: { retries: 2 } }, ['input>a', 'a>output']);
  const id = await rig.submit(flow, inputs);
  if (changed !== '') await rig.store.write((db) => db.statement(`UPDATE task SET ${changed}`).run());
  const { read } = rig.store;
  const job = jobFromRow(read.query<JobRow>(JOB_BY_ID).get(id) as JobRow, createPlans(LIMITS)(flow));
  const rows = read.query<ReadyRow>(READY_OF_JOB).all(job.seq, 0, Number.MAX_SAFE_INTEGER, 10);
  const db = { ...read, statement: () => expect.unreachable() };
  return {
    rows,
    read: rows.map((row) => readyTask({ db }, row, job)),
    whole: rows.map(({ seq }) => taskFromRow(read.query<TaskRow>(TASK_BY_SEQ).get(seq) as TaskRow, job)),
  };
}

it('makes the same record of a waiting task as of its whole row', async () => {
  const { read, whole } = await waiting([{ n: 1 }, { n: 'x'.repeat(40_000) }]);
  expect(read).toHaveLength(2);
  expect(read).toEqual(whole);
});

it('gives the text of an input that does not stand in the row', async () => {
  const long = { n: 'x'.repeat(40_000) };
  const { rows } = await waiting([{ n: 1 }, long]);
  expect(rows.map(({ input }) => input)).toEqual(['{"n":1}', null]);
  expect(rows.map(({ text_elsewhere }) => text_elsewhere)).toEqual([null, JSON.stringify(long)]);
});

it.each([
  ['of a later attempt', 'attempt = 2, retry_count = 3', 1],
  ['with something that only runs leave', `error_code = 'E', error_message = 'as of old', error_retryable = 1`, 0],
  ['with an output', `output = '1'`, 0],
])('misses nothing of a task %s', async (_what, changed, isPlain) => {
  const { rows, read, whole } = await waiting([{ n: 1 }], changed);
  expect(rows).toMatchObject([{ is_plain: isPlain }]);
  expect(read).toEqual(whole);
});
