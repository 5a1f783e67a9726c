import { elapsedBy, type ClusterTime } from '../time.ts';
import type { World } from './world.fixture.ts';

/** A process: what it waits for comes only while it runs, and never any more once it was killed. */
export interface Host {
  readonly name: string;
  readonly alive: boolean;
  readonly frozen: boolean;
  readonly time: ClusterTime;
  /** As it sees the wall clock. */
  wall(): number;
  at(ms: number, run: () => void): () => void;
  /** Something has come from outside. */
  deliver(run: () => void): void;
  kill(): void;
  freeze(): void;
  /** `slept`: the machine slept, so its steady clock stood still. */
  thaw(slept: boolean): void;
  setClock(byMs: number): void;
}

/** `wallTime`: a planted bug: it takes the wall clock for the time that passes. */
export function createHost(world: World, name: string, planted: { readonly wallTime: boolean }): Host {
  let alive = true;
  let frozenAt: number | null = null;
  let sleptMs = 0;
  let setMs = 0;
  let backlog: (() => void)[] = [];
  const wall = () => 1_000_000_000_000 + world.now + setMs;

  function deliver(run: () => void): void {
    if (!alive) return;
    if (frozenAt === null) run();
    else backlog.push(run);
  }
  function at(ms: number, run: () => void): () => void {
    return world.at(ms, () => deliver(run));
  }

  return {
    name,
    get alive() {
      return alive;
    },
    get frozen() {
      return frozenAt !== null;
    },
    time: {
      steady: () => world.now - sleptMs,
      elapsed: planted.wallTime
        ? wall
        : elapsedBy({ steady: () => world.now - sleptMs, wall, uptime: () => world.now }),
      sleep: (ms) => new Promise((resolve) => at(ms, resolve)),
      after: at,
    },
    wall,
    at,
    deliver,
    kill() {
      alive = false;
      backlog = [];
    },
    freeze() {
      frozenAt ??= world.now;
    },
    thaw(slept) {
      if (frozenAt === null) return;
      if (slept) sleptMs += world.now - frozenAt;
      frozenAt = null;
      const held = backlog;
      backlog = [];
      // One after the other, as an event loop takes them.
      for (const run of held) at(0, run);
    },
    setClock(byMs) {
      setMs += byMs;
    },
  };
}
