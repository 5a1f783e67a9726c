import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simple, startHarness, tester, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
let jobId: string;
let commit: string;
beforeAll(async () => {
  h = await startHarness();
  const nodes = [
    { id: 'in', type: 'input' },
    { id: 'up', type: 'transform', config: { expression: '$' } },
    { id: 'then', type: 'transform', config: { expression: '$' } },
    { id: 'out', type: 'output' },
  ];
  commit = await h.publish('flow', {
    nodes,
    edges: [
      { from: 'in', to: 'up' },
      { from: 'up', to: 'then' },
      { from: 'then', to: 'out' },
    ],
  });
  ({ jobId } = (
    await post('/api/v1/jobs', {
      workflowId: 'flow',
      environment: 'dev',
      inputs: [{ content: 'a' }, { content: 'b' }],
      externalId: 'order-7',
      labels: { team: 'x' },
    })
  ).json() as { jobId: string });
});
afterAll(() => h.close());

const post = (url: string, body?: unknown, token = h.tokens.operator) =>
  h.app.inject({
    method: 'POST',
    url,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
const rerun = (body?: unknown, id = jobId) => post(`/api/v1/jobs/${id}/rerun`, body);
const submitted = () => h.jobs.submitted.at(-1);

describe('POST /api/v1/jobs/{id}/rerun', () => {
  it('runs a job again with what it had', async () => {
    const answer = await rerun();
    expect([answer.statusCode, answer.json()]).toEqual([202, { jobId: expect.any(String), rerunOf: jobId }]);
    expect(answer.headers['location']).toBe(`/api/v1/jobs/${(answer.json() as { jobId: string }).jobId}`);
    expect(submitted()).toMatchObject({
      kind: 'batch',
      environment: 'dev',
      externalId: 'order-7',
      labels: { team: 'x' },
      runnable: { commit },
      inputs: { length: 2 },
      lineage: { rerunOf: jobId, rerunNode: null },
    });
  });

  it('takes other inputs, checked against the schema', async () => {
    expect((await rerun({ inputs: [{ content: 'c' }] })).statusCode).toBe(202);
    expect(submitted()).toMatchObject({ inputs: { length: 1 } });
    expect((await rerun({ inputs: [{ content: 1 }, 'x'] })).json()).toMatchObject({
      status: 422,
      code: 'INPUT_INVALID',
      errors: [{ pointer: '/inputs/0/content' }, { pointer: '/inputs/1' }],
    });
  });

  it('takes many inputs, read in the thread', async () => {
    const inputs = Array.from({ length: 5000 }, (_, n) => ({ content: `number ${n}` }));
    expect((await rerun({ inputs })).statusCode).toBe(202);
    expect(submitted()).toMatchObject({ inputs: { length: 5000 } });
    expect((await rerun({ inputs: [...inputs, { content: 1 }] })).json()).toMatchObject({
      code: 'INPUT_INVALID',
      errors: [{ pointer: '/inputs/5000/content' }],
    });
    expect((await rerun({ inputs, fromNode: 'then' })).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/inputs' }],
    });
  });

  it('takes another commit, or what is published now', async () => {
    const { hash } = await h.services.workflows.commit(
      'flow',
      {
        definition: { ...simple, input: { type: 'object', required: ['content', 'more'] } },
        message: 'Second',
        parent: commit,
      },
      tester,
    );
    await rerun({ commit: commit.slice(0, 8) });
    expect(submitted()).toMatchObject({ runnable: { commit } });
    await h.services.workflows.publish('flow', 'dev', { hash }, tester);
    expect((await rerun({ commit: 'published' })).json()).toMatchObject({ status: 422, code: 'INPUT_INVALID' });
    expect((await rerun({ commit: 'published', inputs: [{ content: 'a', more: 1 }] })).statusCode).toBe(202);
    expect(submitted()).toMatchObject({ runnable: { commit: hash } });
    expect((await rerun({ commit: 'v1' })).statusCode).toBe(202);
    expect(submitted()).toMatchObject({ runnable: { commit } });
    expect((await rerun({ commit: 'f00dfeed' })).json()).toMatchObject({ status: 404, code: 'COMMIT_NOT_FOUND' });
    // A tag, of which there is none; and what names no version.
    expect((await rerun({ commit: 'latest' })).json()).toMatchObject({ status: 404, code: 'COMMIT_NOT_FOUND' });
    expect((await rerun({ commit: 'no such' })).json()).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/commit' }],
    });
    await h.services.workflows.unpublish('flow', 'dev', {}, tester);
    expect((await rerun({ commit: 'published' })).json()).toMatchObject({ status: 404, code: 'NOT_PUBLISHED' });
    const { jobId: loose } = (await post('/api/v1/jobs', { workflowId: 'flow', commit, inputs: [] })).json() as {
      jobId: string;
    };
    expect((await rerun({ commit: 'published' }, loose)).json()).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/commit' }],
    });
  });

  it('begins with a node', async () => {
    expect((await rerun({ fromNode: 'then', inputs: [1, 'two'] })).statusCode).toBe(202);
    expect(submitted()).toMatchObject({ inputs: { length: 2 }, lineage: { rerunOf: jobId, rerunNode: 'then' } });
    for (const fromNode of ['nobody', 'in', 'out'])
      expect((await rerun({ fromNode })).json()).toMatchObject({
        status: 422,
        code: 'VALIDATION_FAILED',
        errors: [{ pointer: '/fromNode' }],
      });
    expect((await rerun({ fromNode: 'then', inputs: [1] })).json()).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/inputs' }],
    });
    // The first node is given what the workflow is.
    expect((await rerun({ fromNode: 'up', inputs: [{ content: 1 }, {}] })).json()).toMatchObject({
      status: 422,
      code: 'INPUT_INVALID',
    });
  });

  it('is refused for what is not there, for what is no rerun, and for a viewer', async () => {
    expect((await rerun({}, 'x')).json()).toMatchObject({ status: 404, code: 'JOB_NOT_FOUND' });
    expect((await rerun({ node: 'then' })).json()).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
    expect((await post(`/api/v1/jobs/${jobId}/rerun`, {}, h.tokens.viewer)).json()).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
    expect((await post('/api/v1/tasks/x/retry', undefined, h.tokens.viewer)).json()).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
  });
});
