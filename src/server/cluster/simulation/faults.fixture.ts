import type { Machine } from './machine.fixture.ts';
import type { Peers } from './peers.fake.ts';
import type { PostgresModel } from './postgres.fake.ts';
import type { World } from './world.fixture.ts';

export interface Scene {
  readonly world: World;
  readonly server: PostgresModel;
  readonly machines: readonly Machine[];
  readonly peers: Peers;
}

type Fault = (scene: Scene, victim: Machine) => void;

const FAULTS = {
  kill({ world }, victim) {
    victim.kill(world.random.pick(['kept', 'kept', 'power failed', 'empty'] as const), world.random.chance(0.8));
    world.at(world.random.between(50, 8000), () => victim.start());
  },
  freeze({ world }, { id, host }) {
    if (!host || host.frozen) return;
    const ms = world.random.pick([world.random.between(100, 2000), world.random.between(1000, 12_000)]);
    const slept = world.random.chance(0.3);
    world.note(id, `stands still for ${Math.round(ms)} ms${slept ? ' (asleep)' : ''}`);
    host.freeze();
    world.at(ms, () => host.thaw(slept));
  },
  setClock({ world }, { id, host }) {
    const byMs = Math.round(world.random.between(-30_000, 30_000));
    world.note(id, `its clock is set by ${byMs} ms`);
    host?.setClock(byMs);
  },
  partition({ world }, { id, network }) {
    const direction = world.random.pick(['toServer', 'toClient', 'both'] as const);
    const ms = world.random.between(200, 10_000);
    world.note(id, `cut off from PostgreSQL (${direction}) for ${Math.round(ms)} ms`);
    network.hold(direction);
    world.at(ms, () => {
      if (world.random.chance(0.3)) network.reset();
      network.heal();
    });
  },
  reset({ world }, { id, network }) {
    world.note(id, 'connections to PostgreSQL break');
    network.reset();
  },
  /** Between masters. */
  cutOff({ world, peers }, { id }) {
    const ms = world.random.between(200, 10_000);
    world.note(id, `cut off from the other masters for ${Math.round(ms)} ms`);
    peers.hold(id);
    world.at(ms, () => {
      if (world.random.chance(0.3)) peers.reset(id);
      peers.heal(id);
    });
  },
  hangUp({ world, peers }, { id }) {
    world.note(id, 'connections to other masters break');
    peers.reset(id);
  },
  slow({ world, server }) {
    const upTo = world.random.pick([50, 800, 6000]);
    world.note('database', `answers up to ${upTo} ms late`);
    server.slow(upTo);
    world.at(world.random.between(500, 6000), () => server.slow(0));
  },
  restart({ world, server }) {
    const ms = world.random.pick([100, 1500, 8000]);
    world.note('database', `is down for ${ms} ms`);
    server.stop();
    world.at(ms, () => server.start());
  },
  /** Unless another one is damaged already: of two snapshots one must be whole. */
  damageSnapshot({ world, server }) {
    const whole = server.tables.snapshots.filter(({ chunks }) => chunks !== null);
    const newest = whole.at(-1);
    if (!newest || whole.some(({ chunks, bodies }) => bodies.size < (chunks ?? 0))) return;
    world.note('database', `the snapshot ${newest.id} at turn ${newest.turn} is damaged`);
    newest.bodies.delete(world.random.integer(0, newest.bodies.size - 1));
  },
  setDatabaseClock({ world, server }) {
    const byMs = Math.round(world.random.between(-20_000, 20_000));
    world.note('database', `its clock is set by ${byMs} ms`);
    server.setClock(byMs);
  },
  handOver: (_scene, victim) => victim.handOver(),
  end({ world }, victim) {
    victim.end();
    world.at(world.random.between(3000, 8000), () => victim.start());
  },
} satisfies Record<string, Fault>;
export type FaultName = keyof typeof FAULTS;
const NAMES = Object.keys(FAULTS) as FaultName[];

/** Lets faults happen until then: each run has some kinds of them (or `only` these), more often to the owner than to others. */
export function harm(scene: Scene, until: number, only: readonly FaultName[] | null): void {
  const { world, machines, server } = scene;
  const names = only ?? NAMES.filter(() => world.random.chance(0.5));
  if (names.length === 0) return;
  const pauseMs = world.random.pick([800, 2000, 4000]);
  const next = (): void => {
    if (world.now >= until) return;
    const owner = machines.find(({ id }) => id === server.tables.partition.owner);
    const victim = owner && world.random.chance(0.6) ? owner : world.random.pick(machines);
    FAULTS[world.random.pick(names)](scene, victim);
    world.at(world.random.between(0, 2 * pauseMs), next);
  };
  world.at(world.random.between(500, 3000), next);
}

/** From now on nothing fails any more; what is down comes back, but for a master that is lost for good now and then. */
export function heal({ world, server, machines, peers }: Scene): readonly Machine[] {
  world.note('world', 'no faults from here on');
  server.slow(0);
  server.start();
  for (const { id, network, host } of machines) {
    network.heal();
    peers.heal(id);
    host?.thaw(false);
  }
  const lost = world.random.chance(0.1) ? world.random.pick(machines) : null;
  lost?.lose(world.random.chance(0.5));
  const left = machines.filter((machine) => machine !== lost);
  // One that was told to end may end only now.
  const supervise = (): void => {
    for (const machine of left) machine.start();
    world.at(1000, supervise);
  };
  supervise();
  return left;
}
