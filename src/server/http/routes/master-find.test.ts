import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FindAnswer } from '../../../contract/master.ts';
import type { Workflow } from '../../../contract/workflows.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

/** Finding anything by what was pasted, over real workflows and access. */
let h: Harness;
let hash: string;
beforeAll(async () => {
  h = await startHarness();
  hash = await h.publish('order-flow', { name: 'Orders of the day' });
});
afterAll(() => h.close());

const find = async (q: string, role: 'viewer' | 'worker' = 'viewer') =>
  h.app.inject({
    method: 'GET',
    url: `/api/v1/find?q=${encodeURIComponent(q)}`,
    headers: { authorization: `Bearer ${h.tokens[role]}` },
  });
const kinds = async (q: string) =>
  ((await find(q)).json() as FindAnswer).items.map(({ kind, path }) => `${kind} ${path}`);

it('a commit is found by its hash and by the beginning of it, with its workflow', async () => {
  for (const asked of [hash, hash.slice(0, 7), hash.toUpperCase().slice(0, 12)])
    expect(await kinds(asked)).toContain(`commit /workflows/order-flow?tab=versions&version=${hash}`);
  expect(await kinds(hash.slice(0, 3))).not.toContain(`commit /workflows/order-flow?tab=versions&version=${hash}`);
});

it('a workflow is found by its id and by a part of it', async () => {
  expect(await kinds('order-flow')).toContain('workflow /workflows/order-flow');
  expect(await kinds('order-f')).toContain('workflow /workflows/order-flow');
});

it('a key is found by the whole secret, of which only the shown part counts, and by its id', async () => {
  const { id, key } = await h.key();
  expect(await kinds(key)).toEqual(['key /settings?tab=keys']);
  expect(await kinds(key.slice(0, 9))).toEqual(['key /settings?tab=keys']);
  expect(await kinds(id)).toContain('key /settings?tab=keys');
  expect(JSON.stringify((await find(key)).json())).not.toContain(key);
});

it('a publication is found by its id', async () => {
  const flow = (
    await h.app.inject({
      method: 'GET',
      url: '/api/v1/workflows/order-flow/publications',
      headers: { authorization: `Bearer ${h.tokens.viewer}` },
    })
  ).json() as { items: { id: string }[] };
  expect(await kinds(flow.items[0]?.id ?? '')).toEqual(['publication /workflows/order-flow?tab=publish']);
});

it('what nobody knows is no error, and whoever may not look is told so', async () => {
  expect(await kinds('no-such-thing-anywhere')).toEqual(
    expect.not.arrayContaining([expect.stringContaining('workflow')]),
  );
  expect((await find('x', 'worker')).statusCode).toBe(403);
  expect((await find('')).statusCode).toBe(422);
  expect((await find('x'.repeat(201))).statusCode).toBe(422);
});

it('signs of patterns and of the language of queries are letters like any other', async () => {
  for (const odd of ['%', '_', "'; DROP TABLE version", '*', '\\', '\u0000', '🚂'])
    expect((await find(odd)).statusCode).toBe(200);
  const { items } = (
    await h.app.inject({
      method: 'GET',
      url: '/api/v1/workflows',
      headers: { authorization: `Bearer ${h.tokens.viewer}` },
    })
  ).json() as { items: Workflow[] };
  expect(items.map(({ id }) => id)).toContain('order-flow');
});
