import { expect, test } from '@playwright/test';
import { createFleet } from '../../src/main/connections/fleet.ts';
import type { Target } from '../../src/main/connections/store.ts';
import { greeter } from '../support/definitions.ts';
import { forget, publish, startMaster } from '../support/master.ts';

test('of three masters one is frozen and one is dead: the third answers at once, and is searched', async () => {
  const masters = await Promise.all([1, 2, 3].map(() => startMaster({ workers: 0 })));
  const [well, frozen, dead] = masters as [(typeof masters)[number], (typeof masters)[number], (typeof masters)[number]];
  try {
    const hash = await publish(well, 'fleet-greeter', greeter);
    const targets: Record<string, Target> = Object.fromEntries(Object.entries({ well, frozen, dead }).map(([name, { url, token }]) => [name, { url, token }]));
    const fleet = createFleet({ fetch: (_to, url, init) => fetch(url, init), target: (id) => targets[id] ?? null, since: () => performance.now(), patienceMs: 2000 });
    expect((await Promise.all(['well', 'frozen', 'dead'].map((id) => fleet.look(id)))).map(({ state }) => state)).toEqual(['up', 'up', 'up']);

    await dead.kill();
    process.kill(frozen.pid, 'SIGSTOP');
    const order: string[] = [];
    const told = (id: string) => order.push(id);
    const [a, b, c] = await Promise.all(['well', 'frozen', 'dead'].map((id) => fleet.look(id).finally(() => told(id))));
    expect([a?.state, b?.message, c?.state]).toEqual(['up', 'no answer within 2 s', 'down']);
    expect(order.at(-1)).toBe('frozen');
    expect(a?.tookMs).toBeLessThan(1500);

    const found = await Promise.all(['well', 'frozen', 'dead'].map((id) => fleet.search(id, hash.slice(0, 10))));
    expect(found[0]?.hits).toContainEqual(expect.objectContaining({ kind: 'commit', id: hash, path: `/workflows/fleet-greeter?tab=versions&version=${hash}` }));
    expect(found.slice(1).map(({ hits, problem }) => [hits.length, problem !== null])).toEqual([[0, true], [0, true]]);

    process.kill(frozen.pid, 'SIGCONT');
    await expect.poll(async () => (await fleet.look('frozen')).state).toBe('up');
  } finally {
    process.kill(frozen.pid, 'SIGCONT');
    await Promise.all(masters.map((master) => master.stop()));
    for (const { data } of masters) forget(data);
  }
});
