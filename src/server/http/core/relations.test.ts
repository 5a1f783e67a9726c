import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

let h: Harness;
let be: ReturnType<typeof letPersonIn>['be'];
let own: string;
let foreign: string;
beforeAll(async () => {
  h = await startHarness();
  own = await makeProject(h, 'shop', 'orders');
  foreign = await makeProject(h, 'bank', 'accounts');
  const { get } = h.jobs;
  const call = { id: 'call', jobId: own, childJobId: foreign, state: 'RUNNING', input: null, output: null };
  h.jobs.task = async () => call as never;
  h.jobs.retryTask = h.jobs.task;
  h.jobs.payload = async () => 'null';
  h.jobs.get = async (id) => ({ ...(await get(id)), parentTaskId: id === foreign ? 'call' : null });
  h.jobs.why = async () =>
    ({
      taskId: 'call',
      childJobId: foreign,
      message: `The task is waiting for child job ${foreign} to finish.`,
    }) as never;
  Object.assign(h.jobs.compare, {
    tasks: async (here: string, there: string) => ({ here: await h.jobs.get(here), there: await h.jobs.get(there) }),
  });
  ({ be } = letPersonIn(h));
});
afterAll(() => h.close());

const ask = async (url: string, method: 'GET' | 'POST' = 'GET') =>
  (await h.app.inject({ method, url: `/api/v1${url}`, headers: { authorization: 'Bearer person' } })).json();

it('of a call to another project, each side is shown without the ID of the other', async () => {
  be([granted('operator', 'shop')]);
  expect((await ask('/tasks/call')).childJobId).toBeNull();
  expect((await ask('/tasks/call/retry', 'POST')).childJobId).toBeNull();
  expect(await ask('/tasks/call/why')).toMatchObject({
    childJobId: null,
    message: 'The task is waiting for its child job to finish.',
  });
  be([granted('operator', 'bank')]);
  expect((await ask(`/jobs/${foreign}`)).parentTaskId).toBeNull();
  const { here, there } = await ask(`/jobs/${foreign}/compare/${foreign}`);
  expect([here.parentTaskId, there.parentTaskId]).toEqual([null, null]);
});

it('whoever may read both is shown both', async () => {
  be([granted('viewer', 'shop'), granted('viewer', 'bank')]);
  expect((await ask('/tasks/call')).childJobId).toBe(foreign);
  expect((await ask('/tasks/call/why')).message).toContain(foreign);
  expect((await ask(`/jobs/${foreign}`)).parentTaskId).toBe('call');
});
