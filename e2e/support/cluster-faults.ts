import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../../src/lib/seeded-random.ts';
import type { Direction, TcpProxy } from '../../src/server/testing/tcp-proxy.fixture.ts';
import { type Load, PATIENCE_MS } from './cluster-load.ts';
import type { TestCluster } from './cluster.ts';

/** The owner's lease, seconds (design: 5), and what a master that sleeps longer than it must have missed. */
const LEASE_MS = 5_000;
/** So many calls must be accepted after each fault, while what is harmed is still harmed where the cluster can do without it. */
const CALLS = 8;
/** Within this even a busy machine has handed over. */
const HANDOVER_MS = 30_000;

interface Setting {
  readonly cluster: TestCluster;
  readonly load: Load;
  readonly chance: SeededRandom;
}

/** What happened, for people; `gapMs`: from the fault to the answer of the first call that was sent after it. */
export interface Report {
  readonly what: string;
  readonly gapMs: number | null;
}

type Fault = (setting: Setting) => Promise<Report>;

const DIRECTIONS: readonly Direction[] = ['both', 'toTarget', 'toClient'];

/** Each harms something under load, waits until calls are accepted again, and says what it did; it need not mend it. */
export const FAULTS = {
  async 'owner killed'({ cluster, load }) {
    const owner = await cluster.owner();
    await owner.kill();
    return { what: `${owner.name} killed`, gapMs: await load.accepts(CALLS) };
  },
  async 'standby killed'({ cluster, load, chance }) {
    const standby = chance.pick(await cluster.standbys());
    await standby.kill();
    return { what: `${standby.name} killed, a standby`, gapMs: await load.accepts(CALLS) };
  },
  async 'owner frozen past its lease'({ cluster, load, chance }) {
    const owner = await cluster.owner();
    const frozenMs = LEASE_MS + 500 + chance.below(3_000);
    owner.freeze();
    const began = performance.now();
    const gapMs = await load.accepts(CALLS);
    await pause(Math.max(0, frozenMs - (performance.now() - began)));
    // It wakes up with requests and turns of its own, and must not think that it still is the owner.
    owner.thaw();
    await load.accepts(CALLS);
    return { what: `${owner.name} frozen for ${frozenMs} ms`, gapMs };
  },
  async 'owner frozen for a moment'({ cluster, load, chance }) {
    const owner = await cluster.owner();
    const frozenMs = 200 + chance.below(LEASE_MS - 1_000);
    owner.freeze();
    await pause(frozenMs);
    owner.thaw();
    return { what: `${owner.name} frozen for ${frozenMs} ms`, gapMs: await load.accepts(CALLS) };
  },
  async 'owner cut off from PostgreSQL'({ cluster, load, chance }) {
    const owner = await cluster.owner();
    const how = await harm(owner.toPostgres, chance);
    // Longer than its lease: another one has to take over, and this one to step back.
    const gapMs = await load.accepts(CALLS);
    await pause(chance.below(LEASE_MS));
    await owner.toPostgres.heal();
    await load.accepts(CALLS);
    return { what: `${owner.name} and PostgreSQL: ${how}`, gapMs };
  },
  async 'standby cut off from PostgreSQL'({ cluster, load, chance }) {
    const standby = chance.pick(await cluster.standbys());
    const how = await harm(standby.toPostgres, chance);
    const gapMs = await load.accepts(CALLS);
    await standby.toPostgres.heal();
    return { what: `${standby.name}, a standby, and PostgreSQL: ${how}`, gapMs };
  },
  async 'connections to PostgreSQL lost'({ cluster, load }) {
    // Each on its own: an append under way may have been carried out or not.
    for (const { toPostgres } of cluster.members) toPostgres.reset();
    return { what: 'all connections to PostgreSQL reset', gapMs: await load.accepts(CALLS) };
  },
  async 'PostgreSQL slow'({ cluster, load, chance }) {
    const delayMs = 20 + chance.below(150);
    for (const { toPostgres } of cluster.members) toPostgres.delay(delayMs);
    const gapMs = await load.accepts(CALLS);
    for (const { toPostgres } of cluster.members) await toPostgres.heal();
    return { what: `PostgreSQL ${delayMs} ms away, each way`, gapMs };
  },
  async 'PostgreSQL killed'({ cluster, load, chance }) {
    const downMs = chance.below(3_000);
    await cluster.postgres.kill();
    await pause(downMs);
    await cluster.postgres.start();
    return { what: `PostgreSQL killed, down for ${downMs} ms`, gapMs: await load.accepts(CALLS) };
  },
  async 'PostgreSQL stopped'({ cluster, load, chance }) {
    // Also past the lease: nobody can renew it, nobody else can take it.
    const downMs = chance.below(LEASE_MS + 3_000);
    await cluster.postgres.stop();
    await pause(downMs);
    await cluster.postgres.start();
    return { what: `PostgreSQL stopped, down for ${downMs} ms`, gapMs: await load.accepts(CALLS) };
  },
  async 'masters cut off from each other'({ cluster, load, chance }) {
    const owner = await cluster.owner();
    const how = await harm(owner.fromMasters, chance);
    // Callers that come to the owner are served; who comes to another waits or is refused, and tries again.
    const gapMs = await load.accepts(CALLS);
    await owner.fromMasters.heal();
    return { what: `${owner.name} and the other masters: ${how}`, gapMs };
  },
  async 'handed over'({ cluster, load }) {
    await cluster.untilWhole();
    const from = await cluster.owner();
    // Whoever began before may have come to a master that stood still; who begins now is answered, however busy the machine is.
    load.waitAtMost(HANDOVER_MS);
    const since = performance.now();
    await cluster.call('cluster.handover', { body: {} });
    const gapMs = await load.accepts(CALLS * 3);
    const to = await cluster.owner();
    load.waitAtMost(PATIENCE_MS);
    const failed = load.failures.filter(({ began }) => began >= since).map(({ words }) => words);
    if (failed.length > 0)
      throw new Error(`${failed.length} requests failed while ${from.name} handed over:\n${failed.join('\n')}`);
    if (to === from) throw new Error(`${from.name} still owns the state after it handed over`);
    return { what: `${from.name} handed over to ${to.name}`, gapMs };
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** The network between two, in one of the ways that it breaks. */
async function harm(network: TcpProxy, chance: SeededRandom): Promise<string> {
  if (chance.percent(40)) {
    await network.cut();
    return 'refused';
  }
  const direction = chance.pick(DIRECTIONS);
  network.stall(direction);
  return `silent (${direction})`;
}
