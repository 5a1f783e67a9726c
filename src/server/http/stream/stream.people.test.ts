import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Grant } from '../../access/port.ts';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';
import { granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

let h: Harness;
let port: number;
let be: (grants: readonly Grant[]) => void;
let own: string;
let foreign: string;
beforeAll(async () => {
  h = await startHarness();
  own = await makeProject(h, 'own', 'own-flow');
  foreign = await makeProject(h, 'foreign', 'foreign-flow');
  ({ be } = letPersonIn(h));
  await h.app.listen({ port: 0, host: '127.0.0.1' });
  port = (h.app.server.address() as AddressInfo).port;
});
afterAll(() => h.close());

function follow(): { text(): string; ended(): boolean; close(): void } {
  let text = '';
  let ended = false;
  const request = get({ port, path: '/api/v1/stream', headers: { authorization: 'Bearer person' } }, (answer) => {
    answer.setEncoding('utf8');
    answer.on('data', (piece: string) => (text += piece));
    answer.on('close', () => (ended = true));
    answer.on('error', () => undefined);
  });
  request.on('error', () => undefined);
  return { text: () => text, ended: () => ended, close: () => void request.destroy() };
}

it('tells people of what is in their projects', async () => {
  be([granted('operator', 'own')]);
  const stream = follow();
  await expect.poll(() => stream.text()).toContain(': live');
  const worker = (await h.services.workers.list({ page: 0, size: 1, sort: '' })).items[0]?.id ?? '';
  h.services.feed.publish('job', foreign);
  h.services.feed.publish('worker', worker);
  h.services.feed.publish('job', own);
  await expect.poll(() => stream.text()).toContain(own);
  expect(stream.text()).not.toContain(foreign);
  expect(stream.text()).not.toContain(worker);
  stream.close();
});

it('ends when a grant changes, so that the reader comes anew', async () => {
  be([granted('operator', 'own')]);
  const stream = follow();
  await expect.poll(() => stream.text()).toContain(': live');
  be([granted('viewer', 'own')]);
  await h.services.access.grants.create({ subjectKind: 'user', subject: 'u1', role: 'viewer' }, tester);
  await expect.poll(() => stream.ended()).toBe(true);
});

it('tells of a call to another project, and of a bulk operation, what the routes tell', async () => {
  be([granted('operator', 'own')]);
  const stream = follow();
  await expect.poll(() => stream.text()).toContain(': live');
  const { jobs, feed } = h.services;
  const real = { get: jobs.get, task: jobs.task, operation: jobs.operations.get, places: jobs.operations.places };
  jobs.get = async (id) => ({
    ...(await real.get(id)),
    ...(id === own && { parentTaskId: 'calling-task', trigger: { kind: 'workflow', id: foreign } }),
  });
  jobs.task = async (id) =>
    ({ id, jobId: id === 'calling-task' ? foreign : own, childJobId: foreign, state: 'RUNNING' }) as never;
  jobs.operations.get = async () =>
    ({ operationId: 'op', filter: { status: ['FAILED'], within: ['own-flow', 'foreign-flow'] } }) as never;
  jobs.operations.places = () => [['own-flow', 'dev']];
  feed.publish('job', own);
  feed.publish('task', 'own-task');
  feed.publish('operation', 'op');
  await expect.poll(() => stream.text()).toContain('event: operation');
  expect(stream.text()).toMatch(/event: job\n[\s\S]*"parentTaskId":null/);
  expect(stream.text()).toMatch(/event: task\n[\s\S]*"childJobId":null/);
  expect(stream.text()).toContain('"filter":{"status":["FAILED"]}');
  for (const hidden of [foreign, 'calling-task', 'foreign-flow']) expect(stream.text()).not.toContain(hidden);
  jobs.get = real.get;
  jobs.task = real.task;
  Object.assign(jobs.operations, { get: real.operation, places: real.places });
  stream.close();
});
