import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';
import { granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

let h: Harness;
let be: ReturnType<typeof letPersonIn>['be'];
beforeEach(async () => {
  h = await startHarness();
  ({ be } = letPersonIn(h));
  await makeProject(h, 'shop', 'orders');
  await h.services.access.projects.create({ id: 'bank', name: 'Bank' }, tester);
  await h.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => h.close());

/** Begins to read an export; the rest of it is made once the reader asks for it. */
async function begin() {
  const rest = Promise.withResolvers<void>();
  h.jobs.export = async function* () {
    yield Buffer.from('[first');
    await rest.promise;
    yield Buffer.from('second]');
  };
  const read = { text: '', isOver: false, isWhole: false };
  const { port } = h.app.server.address() as AddressInfo;
  const headers = { authorization: 'Bearer person' };
  get({ port, path: '/api/v1/jobs/export?format=json', headers }, (answer) => {
    answer.on('data', (piece: Buffer) => (read.text += piece.toString()));
    answer.on('close', () => Object.assign(read, { isOver: true, isWhole: answer.complete }));
    answer.on('error', () => undefined);
  });
  await expect.poll(() => read.text).toBe('[first');
  return { read, goOn: rest.resolve };
}

it('sends the whole file to who may read it until its end', async () => {
  be([granted('viewer', 'shop')]);
  const { read, goOn } = await begin();
  goOn();
  await expect.poll(() => read.isOver).toBe(true);
  expect(read).toMatchObject({ text: '[firstsecond]', isWhole: true });
});

it.each<[string, () => unknown]>([
  ['what they may do has changed', () => be([granted('viewer', 'bank')])],
  [
    'a workflow has gone to a project of others',
    () => h.services.workflows.update('orders', { project: 'bank' }, tester),
  ],
])('cuts the file off where %s while it was read', async (_why, change) => {
  be([granted('viewer', 'shop')]);
  const { read, goOn } = await begin();
  await change();
  goOn();
  await expect.poll(() => read.isOver).toBe(true);
  expect(read).toMatchObject({ text: '[first', isWhole: false });
});
