import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { granted, letPersonIn } from '../../testing/person.fixture.ts';

let h: Harness;
let be: ReturnType<typeof letPersonIn>['be'];
beforeAll(async () => {
  h = await startHarness();
  const worker = { id: 'w1', ended: { reason: 'crashed', at: '', exitCode: 1, signal: null, message: 'iban DE89' } };
  Object.assign(h.workers, {
    get: async () => worker,
    list: async () => ({ items: [worker], page: 0, size: 50, totalItems: 1, totalPages: 1 }),
  });
  ({ be } = letPersonIn(h));
});
afterAll(() => h.close());

const seen = async (path: string) => {
  const answer = await h.app.inject({ url: `/api/v1/workers${path}`, headers: { authorization: 'Bearer person' } });
  return [answer.statusCode, answer.body.includes('iban DE89'), answer.body.includes('crashed')];
};

it('the last lines of a worker that crashed are for those who may read logs', async () => {
  await h.services.access.roles.set(
    'fleet',
    { actions: ['master.read'] },
    { name: 'root', role: 'admin', address: null },
  );
  be([granted('fleet', null)]);
  for (const path of ['', '/w1']) expect(await seen(path)).toEqual([200, false, true]);
  be([granted('viewer', null)]);
  for (const path of ['', '/w1']) expect(await seen(path)).toEqual([200, true, true]);
});
