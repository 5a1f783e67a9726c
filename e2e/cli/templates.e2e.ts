import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import type { Definition } from '../../src/contract/definition.ts';
import { TEMPLATE_IDS, type TemplateId } from '../../src/lib/workflow-templates/catalogue.ts';
import { DEMO_API } from '../../src/lib/workflow-templates/demo-api.ts';
import { templateDefinition, TEMPLATES } from '../../src/lib/workflow-templates/index.ts';
import { forget, publish, startMaster, type TestMaster } from '../support/master.ts';
import { openShell } from './shell.ts';

/** What each template makes of its sample on a real master with real workers; the demo API is replaced by one of this test. */
const OUTPUTS: Readonly<Record<TemplateId, unknown>> = {
  'call-api': { name: 'Ada', email: 'ada@example.com', city: 'London' },
  'call-many': { total: 4, done: 2, failed: 0, titles: ['Task 1', 'Task 2', 'Task 3', 'Task 4'] },
  'two-sources': { name: 'Ada', posts: 2, latest: 'Second' },
  'with-fallback': { source: 'live', name: 'Ada' },
  'route-event': { route: 'webhook', status: 201 },
  'copy-records': { copied: 2, failed: 0, errors: [] },
  'validate-records': {
    status: 'partly rejected',
    records: [{ email: 'ada@example.com', country: 'GB' }],
    rejected: [
      {
        record: { email: 'nobody', country: 'Germany' },
        reasons: ['invalid email', 'country must have two letters'],
      },
    ],
  },
  report: { report: '3 orders, 240 in total\nDE: 160\nFR: 80' },
  'approve-amount': { approved: true, amount: 2500, by: expect.any(String) as unknown },
  'wait-for-signal': { order: 'A-1001', status: 'paid', payment: { amount: 99 } },
};

let master: TestMaster;
let api: Server;

test.beforeAll(async () => {
  api = createServer(answer);
  await new Promise<void>((done) => api.listen(0, '127.0.0.1', () => done()));
  master = await startMaster({ workers: 1 });
});
test.afterAll(async () => {
  await master.stop();
  forget(master.data);
  api.close();
});

function answer(request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://api');
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const todo = /^\/todos\/(\d+)$/.exec(pathname)?.[1];
  request.resume();
  if (pathname === '/users/1') send(200, { name: 'Ada', email: 'Ada@Example.com', address: { city: 'London' } });
  else if (todo !== undefined) send(200, { title: `Task ${todo}`, completed: Number(todo) % 2 === 0 });
  else if (pathname === '/posts' && request.method === 'POST') send(201, { id: 101 });
  else if (pathname === '/posts')
    send(200, [
      { id: 7, title: 'First' },
      { id: 8, title: 'Second' },
    ]);
  else send(404, {});
}

const onTestApi = (definition: Definition): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(definition).replaceAll(DEMO_API, `http://127.0.0.1:${(api.address() as AddressInfo).port}`),
  ) as Record<string, unknown>;

for (const template of TEMPLATE_IDS)
  test(`${template}: its test cases pass and reach every branch, and it runs with its sample`, async () => {
    const id = `template-${template}`;
    const { sample, tests } = TEMPLATES[template];
    const definition = templateDefinition(template, id);
    await publish(master, id, onTestApi(definition));
    const report = await master.call('workflowTests.run', {
      params: { id },
      body: { definition, cases: [...tests] },
    });
    expect(report.cases.filter(({ ok }) => !ok)).toEqual([]);
    expect([report.coverage.missed, report.coverage.missedEdges]).toEqual([[], []]);

    const sent = await master.event(`${id}/dev`, [sample], { prefer: 'respond-async' });
    expect(sent.status).toBe(202);
    const jobId = sent.headers.get('x-job-id') ?? '';
    if (template === 'wait-for-signal')
      await master.call('jobs.signal', { params: { jobId, name: 'paid' }, body: { amount: 99 } });
    if (template === 'approve-amount') {
      const open = () => master.call('approvals.list', { query: { status: 'open' } });
      await expect.poll(async () => (await open()).items.length).toBe(1);
      const [request] = (await open()).items;
      await master.call('approvals.decide', { params: { id: request?.id ?? '' }, body: { decision: 'approve' } });
    }
    await expect.poll(async () => (await master.job(jobId)).status).toBe('COMPLETED');
    expect(await master.output(jobId)).toEqual([OUTPUTS[template]]);
  });

test('the command line lists the templates and creates a workflow from one', async () => {
  const shell = await openShell();
  const { items } = shell.json<{ items: { id: string }[] }>(['workflow', 'templates']);
  expect(items.map(({ id }) => id)).toEqual([...TEMPLATE_IDS]);
  const made = shell.yardmaster(['workflow', 'new', 'from-template', '--template', 'report', '--name', 'Sales']);
  expect([made.code, made.out]).toEqual([0, expect.stringContaining('yardmaster event send from-template dev')]);
  expect(shell.json<{ passed: number; failed: number }>(['workflow', 'test', 'from-template'])).toMatchObject({
    passed: TEMPLATES.report.tests.length,
    failed: 0,
  });
  const wrong = shell.yardmaster(['workflow', 'new', 'other', '--template', 'nothing']);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('there is no template nothing')]);
  await shell.close();
});
