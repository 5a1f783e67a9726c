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
