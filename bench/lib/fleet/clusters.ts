import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgres } from '../../../scripts/lib/postgres.mjs';
import type { ReadyLine } from '../../../src/contract/process.ts';
import { api, publishChain } from '../master-api.ts';
import { startMaster, type Started } from '../processes.ts';
import { startSimulatedMasters } from './simulated-masters.ts';
import { startSimulatedWorker, type SimulatedWorker, type WorkPlan } from './simulated-workers.ts';

export interface FleetPlan extends WorkPlan {
  readonly clusters: number;
  /** Of each cluster, the real one included. */
  readonly masters: number;
  readonly workers: number;
  readonly capacity: number;
  /** Of each cluster, of two tasks each. */
  readonly jobsPerSecond: number;
}

export interface FleetCluster {
  readonly name: string;
  readonly ready: ReadyLine;
  /** Adds simulated workers, and waits until the master has welcomed them. */
  hire(count: number): Promise<void>;
  readonly workers: SimulatedWorker[];
}

export interface FleetOfClusters {
  readonly clusters: readonly FleetCluster[];
  stop(): Promise<void>;
}

const HANDLERS = ['pick', 'pack'];
const PLANTS = ['hamburg', 'rotterdam', 'gdansk', 'le-havre', 'antwerp'];
const POOLS = ['conveyor', 'crane', 'label-printer', 'scanner-and-weighing-station'];
/** Workers that join at once: more, and the first would wait longer than a hello may. */
const TOGETHER = 50;

/**
 * Clusters on this machine: one PostgreSQL with a database for each, and for each one real master that owns its state, simulated
 * standbys and workers, and jobs at a steady rate.
 */
export async function startFleet(plan: FleetPlan): Promise<FleetOfClusters> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  chmodSync(folder, 0o711);
  const postgres = await startPostgres({ folder, durable: false, remove: true });
  const stops: (() => Promise<void>)[] = [() => postgres.stop()];
  const stop = async () => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    const clusters: FleetCluster[] = [];
    for (let i = 0; i < plan.clusters; i++) clusters.push(await startCluster(postgres.url, i, plan, stops));
    return { clusters, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startCluster(
  server: string,
  number: number,
  plan: FleetPlan,
  stops: (() => Promise<void>)[],
): Promise<FleetCluster> {
  const name = PLANTS[number] ?? `plant-${number}`;
  const url = await createDatabase(server, `cluster_${number}`);
  const store = { url, secretsKey: randomBytes(32).toString('base64') };
  const master: Started<ReadyLine> = await startMaster({ workers: 0, durability: 'full', store });
  stops.push(() => master.stop());
  const others = Array.from(
    { length: plan.masters - 1 },
    (_, i) => `https://master-${i + 2}.${name}.plants.example.com:8700`,
  );
  const standbys = startSimulatedMasters(url, others);
  stops.push(() => standbys.stop());
  await publishChain(
    master.ready,
    'parcels',
    undefined,
    HANDLERS.map((handler) => ({ id: handler, type: 'handler', config: { handler } })),
  );
  const tokens = await createTokens(master.ready);
  const workers: SimulatedWorker[] = [];
  stops.push(async () => workers.forEach((worker) => worker.stop()));

  async function hire(count: number) {
    const first = workers.length;
    for (let i = 0; i < count; i++) {
      const own = workers.length;
      const pool = POOLS[own % POOLS.length] as string;
      workers.push(
        startSimulatedWorker(
          {
            ...{ number: number * 1000 + own, master: master.ready.url, handlers: HANDLERS, capacity: plan.capacity },
            token: tokens.get(pool) as string,
            url: `http://${pool}-${String(own).padStart(3, '0')}.${name}.plants.example.com:9301`,
            labels: { line: String(1 + (own % 7)) },
          },
          plan,
        ),
      );
      if (i % TOGETHER === TOGETHER - 1) await Promise.all(workers.slice(first).map(({ joined }) => joined));
    }
    await Promise.all(workers.slice(first).map(({ joined }) => joined));
  }
  await hire(plan.workers);
  stops.push(startLoad(master.ready, plan.jobsPerSecond));
  return { name, ready: master.ready, hire, workers };
}

async function createDatabase(server: string, name: string): Promise<string> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** A token for each pool: its workers have its label. */
async function createTokens(ready: ReadyLine): Promise<ReadonlyMap<string, string>> {
  const created = POOLS.map(async (pool) => {
    const { token } = await api(ready).call('tokens.create', {
      body: { name: pool, role: 'worker', labels: { pool } },
    });
    return [pool, token] as const;
  });
  return new Map(await Promise.all(created));
}

/** Submits jobs until it is stopped: each at its own time, however long the one before took. */
function startLoad(ready: ReadyLine, perSecond: number): () => Promise<void> {
  const { call } = api(ready);
  const underWay = new Set<Promise<unknown>>();
  let stopped = false;
  let jobs = 0;
  const done = (async () => {
    while (!stopped) {
      const parcel = `parcel-${++jobs}`;
      const sent = call('jobs.create', {
        body: { workflowId: 'parcels', environment: 'dev', inputs: [{ parcel }], externalId: parcel },
      }).catch((error: unknown) => process.stderr.write(`a job was not taken: ${String(error)}\n`));
      underWay.add(sent);
      void sent.finally(() => underWay.delete(sent));
      await sleep(1000 / perSecond);
    }
  })();
  return async () => {
    stopped = true;
    await done;
    await Promise.all(underWay);
  };
}
