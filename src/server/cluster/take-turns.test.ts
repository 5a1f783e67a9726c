import { expect, it } from 'vitest';
import { startScene } from './simulation/scene.fixture.ts';

it('follows the owner, and takes over once its lease has run out', async () => {
  const scene = await startScene();
  const { owner, standby, world, until } = scene;
  expect([owner.role, standby.role]).toEqual(['owner', 'standby']);
  owner.host?.freeze();
  const at = world.now;
  await until(() => standby.role === 'owner');
  expect(world.now - at).toBeGreaterThan(4000);
  expect(world.now - at).toBeLessThan(6000);
  owner.host?.thaw(false);
  await until(() => owner.role === 'standby');
  expect(scene.notes()).toContain('another master owns the state now; going on as a standby');
});

it('takes over from a process that was killed before its lease has run out', async () => {
  const { owner, standby, world, until } = await startScene();
  owner.kill('kept', true);
  const at = world.now;
  await until(() => standby.role === 'owner');
  expect(world.now - at).toBeLessThan(2500);
});

it('leaves an owner alone that renews, though the clock of the database is set forwards', async () => {
  const { owner, server, world } = await startScene();
  server.setClock(60_000);
  await world.run(world.now + 10_000);
  expect([owner.role, server.tables.partition.epoch]).toEqual(['owner', 1]);
});

it('does not wait longer for an owner that is gone because the clock of the database was set back', async () => {
  const { owner, standby, server, world, until } = await startScene();
  owner.host?.freeze();
  server.setClock(-60_000);
  const at = world.now;
  await until(() => standby.role === 'owner');
  expect(world.now - at).toBeLessThan(6000);
});

it('becomes a standby where the state is lost while it begins to serve', async () => {
  const { world, machines, server, until, notes } = await startScene({ masters: 1, started: false });
  const [only] = machines;
  only!.start();
  await until(() => server.tables.entries.length === 1);
  // Its first write waits for a database that answers nobody.
  only!.network.hold('both');
  await world.run(world.now + 8000);
  only!.network.heal();
  await until(() => only!.role === 'owner');
  expect(notes()).toContain('the state was lost before this master could serve');
  expect(server.tables.partition.epoch).toBe(2);
});

it('hands over when it is told to, and to end', async () => {
  const { owner, standby, server, until } = await startScene();
  const isOffered = (id: string) => server.tables.masters.get(id)?.role === 'standby';
  await until(() => isOffered('B'));
  owner.handOver();
  await until(() => standby.role === 'owner' && isOffered('A'));
  standby.end();
  await until(() => standby.host === null && owner.role === 'owner');
  expect(server.tables.failovers.map(({ reason }) => reason)).toEqual(['start', 'handover', 'handover']);
});

it('rebuilds a copy from the newest snapshot and the journal behind it', async () => {
  const { owner, standby, world, until, notes, write, server } = await startScene();
  while (server.tables.snapshots.every(({ chunks }) => chunks === null)) {
    await write(owner);
    await world.run(world.now + 50);
  }
  standby.kill('empty', true);
  standby.start();
  await until(() => standby.role === 'standby');
  expect(notes()).toMatch(/rebuilding the state from the snapshot at turn \d+ and the journal/);
});

it('keeps the journal short where there is no standby that would, and begins again from what is left', async () => {
  const { owner, world, until, notes, write, server } = await startScene({ masters: 1 });
  while ((server.tables.entries[0]?.first ?? 1) === 1) {
    await write(owner);
    await world.run(world.now + 50);
  }
  owner.kill('empty', true);
  owner.start();
  await until(() => owner.role === 'owner');
  expect(notes()).toMatch(/rebuilding the state from the snapshot at turn \d+ and the journal/);
});

it('leaves snapshots to a standby while it takes them', async () => {
  const { owner, world, write, server } = await startScene();
  while ((server.tables.entries[0]?.first ?? 1) === 1) {
    await write(owner);
    await world.run(world.now + 50);
  }
  expect(new Set(server.tables.snapshots.map(({ by }) => by))).toEqual(new Set(['B']));
});
