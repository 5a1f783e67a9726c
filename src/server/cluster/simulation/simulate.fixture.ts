import { createChecker, type Answer, type Asked, type Request } from './checker.fixture.ts';
import { harm, heal, type FaultName, type Scene } from './faults.fixture.ts';
import type { Host } from './host.fake.ts';
import { createMachine, NOTHING_PLANTED, type Machine, type Planted } from './machine.fixture.ts';
import { createPeers } from './peers.fake.ts';
import { createPostgres, type Procedure } from './postgres.fake.ts';
import { createWorld } from './world.fixture.ts';

export interface Outcome {
  /** What was broken; null: nothing. */
  readonly violation: string | null;
  readonly notes: readonly string[];
  readonly acknowledged: number;
  readonly reads: number;
  readonly epochs: number;
  readonly turns: number;
}

/** As `Planted`, and statements of the database; `faults`: those alone, and more to do. */
export type Variant = Partial<Planted> & {
  readonly procedures?: ReadonlyMap<string, Procedure>;
  readonly faults?: readonly FaultName[];
  /** The share of writes among requests. */
  readonly writes?: number;
};

const FAULTS_MS = 16_000;
/** Longer than any lease, hold and retry together. */
const RECOVERY_MS = 40_000;
const ASK_MS = 6000;
/** Whoever asks a master that runs is told something, at the latest after a hold and a forward that is cut. */
const SILENCE_MS = 12_000;

/** Several masters over a database that fails in many ways, for some time; then everything must work again, and nothing be lost. */
export async function simulate(seed: number, variant: Variant = {}): Promise<Outcome> {
  const { procedures, faults = null, writes = 0.6, ...planted } = variant;
  const world = createWorld(seed);
  const checker = createChecker(world);
  const server = createPostgres(world, checker.tables, procedures);
  const machines: Machine[] = [];
  const peers = createPeers(world, (url) => {
    const machine = machines.find(({ id }) => url === `http://${id}`);
    return machine ? { id: machine.id, machine } : null;
  });
  const around = {
    ...{ world, server, checker },
    planted: { ...NOTHING_PLANTED, ...planted },
    peers,
  };
  for (const id of ['A', 'B', 'C'].slice(0, world.random.pick([2, 3, 3]))) machines.push(createMachine(id, around));
  const scene: Scene = { world, server, machines, peers };
  for (const machine of machines) world.at(world.random.between(0, 1500), machine.start);

  let operations = 0;
  /** Masters through which a write was acknowledged that was asked for after the faults. */
  const served = new Set<Machine>();
  let healed = false;
  /** Requests that were not answered yet, with the processes that have them. */
  const open = new Set<{ readonly at: number; readonly id: string; readonly host: Host }>();

  function nextRequest(): Request {
    if (!world.random.chance(writes)) return { kind: 'read' };
    return { kind: world.random.chance(0.2) ? 'once' : 'write', id: `op${++operations}` };
  }

  function client(number: number, pauseMs: number): void {
    let again: Request | null = null;
    const next = (): void => {
      const request: Request = again ?? nextRequest();
      const machine = world.random.pick(machines);
      const asked = checker.ask(request);
      const isLate = healed;
      let done = false;
      const end = (failed: boolean): void => {
        if (done) return;
        done = true;
        again = failed && request.kind === 'write' && world.random.chance(0.8) ? request : null;
        world.at(world.random.between(0, 2 * pauseMs), next);
      };
      world.at(ASK_MS, () => end(true));
      world.at(world.random.between(0.2, 3), () =>
        ask(machine, asked, (answer) => {
          if (isLate && !(answer instanceof Error) && request.kind !== 'read') served.add(machine);
          world.at(world.random.between(0.2, 3), () => end(answer instanceof Error));
        }),
      );
    };
    world.at(number * 100, next);
  }
  function ask(machine: Machine, asked: Asked, told: (answer: Answer | Error) => void): void {
    const one = machine.host && { at: world.now, id: machine.id, host: machine.host };
    if (one) open.add(one);
    machine.ask(asked, 0, (answer) => {
      if (one) open.delete(one);
      told(answer);
    });
  }

  const pauseMs = faults ? 50 : world.random.pick([100, 250, 600]);
  for (let i = 0; i < 3; i++) client(i, pauseMs);

  harm(scene, FAULTS_MS, faults);
  await world.run(FAULTS_MS);
  if (world.violation === null) {
    const left = heal(scene);
    healed = true;
    // A fault that was under way may end later; nothing begins any more.
    const isWell = (machine: Machine): boolean =>
      served.has(machine) && (machine.role === 'owner' || machine.role === 'standby');
    const stands = () => left.every(isWell) && left.filter(({ role }) => role === 'owner').length === 1;
    await world.run(FAULTS_MS + RECOVERY_MS, stands);
    if (world.violation === null && !stands())
      world.broken(
        `after ${RECOVERY_MS / 1000} s without faults: ${left.map((one) => `${one.id} is ${one.role ?? 'down'}${served.has(one) ? '' : ' and does not serve'}`).join(', ')}`,
      );
    const asked = [...open];
    const silent = () => asked.find((one) => open.has(one) && one.host.alive);
    await world.run(world.now + SILENCE_MS, () => !silent());
    const one = silent();
    if (world.violation === null && one)
      world.broken(`${one.id} has said nothing to a request of ${Math.round(world.now - one.at)} ms ago`);
  }
  return {
    violation: world.violation,
    notes: world.notes,
    acknowledged: checker.acknowledged,
    reads: checker.reads,
    epochs: checker.tables.partition.epoch,
    turns: checker.lastTurn,
  };
}
