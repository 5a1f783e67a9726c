import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';

const VALUE = 'correct-horse-7';
const BACKWARDS = [...VALUE].reverse().join('');
let h: Harness;
let key: string;
beforeAll(async () => {
  h = await startHarness();
  await h.services.secrets.put('HORSE', { value: VALUE }, tester);
  key = (await h.key({ workflows: ['*'] })).key;
  h.jobs.hold = true;
});
afterAll(() => h.close());

async function publish(id: string, node: { type: string; config: Record<string, unknown> }): Promise<void> {
  const definition = {
    schemaVersion: 1,
    name: id,
    response: 'list',
    nodes: [
      { id: 'in', type: 'input' },
      { id: 'n', ...node },
      { id: 'out', type: 'output' },
    ],
    edges: [
      { from: 'in', to: 'n' },
      { from: 'n', to: 'out' },
    ],
    output: 'out',
  } as const;
  await h.publish(id, definition as never);
}

/** What a caller gets whose job ends with this output; then what it gets at the status URL. */
async function answers(id: string, output: string): Promise<[string, string]> {
  const before = h.jobs.submitted.length;
  const call = h.app.inject({
    method: 'POST',
    url: `/api/v1/events/${id}/dev`,
    headers: { 'api-key': key, 'content-type': 'application/json' },
    payload: '[{"content":"a"}]',
  });
  await expect.poll(() => h.jobs.submitted.length).toBe(before + 1);
  const jobId = h.jobs.open()[0] as string;
  h.jobs.finish(jobId, { status: 'COMPLETED', outputText: output });
  const { body } = await call;
  h.jobs.eventStatusJson = async () => `{"jobId":"${jobId}","status":"COMPLETED","output":${output},"error":null}`;
  const status = await h.app.inject({ url: `/api/v1/events/${id}/dev/jobs/${jobId}`, headers: { 'api-key': key } });
  return [body, status.body];
}

it('an answer to an event shows no value that its workflow was given, in disguise neither', async () => {
  await publish('uses', { type: 'code', config: { source: 'return ctx.secrets.HORSE' } });
  await publish('calls', { type: 'workflow', config: { workflowId: 'uses', environment: 'dev' } });
  for (const id of ['uses', 'calls']) {
    const [answer, status] = await answers(id, JSON.stringify([VALUE, BACKWARDS, { n: 1 }]));
    expect(JSON.parse(answer)).toEqual(['[secret HORSE]', '[secret HORSE]', { n: 1 }]);
    expect(JSON.parse(status)).toMatchObject({ output: ['[secret HORSE]', '[secret HORSE]', { n: 1 }] });
  }
});

it('of a workflow that is given none it is the very bytes of the output', async () => {
  await publish('plain', { type: 'code', config: { source: 'return input' } });
  const output = `[ "${VALUE}", 12345678901234567890 ]`;
  expect((await answers('plain', output))[0]).toBe(output);
});
