import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBalancer } from '../../scripts/lib/balancer.mjs';
import type { Postgres } from '../../scripts/lib/postgres.mjs';
import { startPostgres } from '../../scripts/lib/postgres.mjs';
import type { Cluster } from '../../src/contract/cluster.ts';
import { type ApiClient, createApiClient, fetchTransport } from '../../src/lib/api-client.ts';
import { ApiError } from '../../src/lib/api-error.ts';
import { freshDatabase, ownPostgres } from '../../src/server/testing/postgres.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../../src/server/testing/tcp-proxy.fixture.ts';
import { forget, lastingPort, startMaster, temporaryFolder, type TestMaster } from './master.ts';

/** How long an answer may take before whoever asked goes to another master. */
const PATIENCE_MS = 5_000;
const READY_MS = 180_000;
/** How long a call goes from master to master until one answers. */
const ANSWER_MS = 60_000;

/** A master of a cluster: a process, with a network of its own to PostgreSQL and another one from the other masters. */
export interface Member {
  readonly name: string;
  /** Its data folder. */
  readonly data: string;
  /** For callers, past the network that the other masters use. */
  readonly url: string;
  /** Where the other masters and the workers find it. */
  readonly advertised: string;
  readonly toPostgres: TcpProxy;
  readonly fromMasters: TcpProxy;
  readonly running: boolean;
  call: ApiClient['call'];
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** How it ended by itself; null: it did not. */
  ended(): string | null;
  freeze(): void;
  thaw(): void;
}

export interface TestCluster {
  readonly members: readonly Member[];
  readonly adminToken: string;
  readonly postgres: {
    kill(): Promise<void>;
    stop(): Promise<void>;
    start(): Promise<void>;
  };
  /** One address before all of them, for workers. */
  readonly workersUrl: string;
  /** Asks whichever master answers, again and again while none does. */
  call: ApiClient['call'];
  state(): Promise<Cluster>;
  owner(): Promise<Member>;
  standbys(): Promise<Member[]>;
  /** Everything runs, every network is whole, one owns the state, and all others have caught up with it. */
  untilWhole(): Promise<void>;
  /** Masters that ended by themselves, with their last words. */
  ended(): string[];
  close(): Promise<void>;
}

/** Starts PostgreSQL, and so many masters that share it, without workers of their own. `env`: limits. */
export async function startCluster(count: number, env: Record<string, string>): Promise<TestCluster> {
  const folder = temporaryFolder('cluster');
  const adminToken = `yt_${randomBytes(24).toString('hex')}`;
  const secretsKey = randomBytes(32).toString('base64');
  let server: Postgres = await ownPostgres({ durable: true, remove: false });
  const { folder: postgresFolder, port: postgresPort } = server;
  const database = await freshDatabase(server.url);
  const members: Member[] = [];
  for (let i = 0; i < count; i++) members.push(await member(`master-${i + 1}`, join(folder, `master-${i + 1}`)));

  const balancer = await startBalancer({ ports: [0] });
  balancer.use(members.map(({ url }) => Number(new URL(url).port)));

  async function member(name: string, data: string): Promise<Member> {
    const port = await lastingPort();
    const toPostgres = await startTcpProxy(postgresPort);
    const fromMasters = await startTcpProxy(port);
    const store = new URL(database.url);
    store.port = String(toPostgres.port);
    const url = `http://127.0.0.1:${port}`;
    const advertised = `http://127.0.0.1:${fromMasters.port}`;
    let running: TestMaster | null = null;
    const { call } = createApiClient(fetchTransport({ url, token: adminToken }, patiently));
    return {
      name,
      data,
      url,
      advertised,
      toPostgres,
      fromMasters,
      call,
      get running() {
        return running !== null;
      },
      async start() {
        running = await startMaster({
          data,
          port,
          workers: 0,
          args: ['--advertise-url', advertised, '--log-store-port', '0', '--metrics-port', '0'],
          env: {
            ...env,
            YARDMASTER_STORE: store.href,
            YARDMASTER_ADMIN_TOKEN: adminToken,
            YARDMASTER_SECRETS_KEY: secretsKey,
          },
        });
      },
      async kill() {
        const dead = running;
        running = null;
        await dead?.kill();
      },
      async stop() {
        const ended = running;
        running = null;
        const code = await ended?.stop();
        if (code) throw new Error(`${name} ended with exit code ${code}`);
      },
      ended: () => running?.ended() ?? null,
      freeze: () => void (running && process.kill(running.pid, 'SIGSTOP')),
      thaw: () => void (running && process.kill(running.pid, 'SIGCONT')),
    };
  }

  const call = (async (...request: Parameters<ApiClient['call']>) => {
    for (const until = Date.now() + ANSWER_MS; ; await pause(200)) {
      let last: Error = new Error('no master runs');
      for (const { call: ask, running } of members) {
        if (!running) continue;
        try {
          return await ask(...request);
        } catch (error) {
          last = error as Error;
        }
      }
      // None answered: one takes over, or is busy.
      const isRefused = last instanceof ApiError && last.status < 500;
      if (isRefused || Date.now() > until || members.every(({ running }) => !running)) throw last;
    }
  }) as ApiClient['call'];
  const state = () => call('cluster.get');
  async function owner(): Promise<Member> {
    for (const until = Date.now() + READY_MS; ; await pause(50)) {
      const { partitions, masters } = await state().catch(() => ({ partitions: [], masters: [] }) as never as Cluster);
      const url = masters.find(({ id }) => id === partitions[0]?.owner)?.url;
      const found = members.find(({ advertised, running }) => running && advertised === url);
      if (found) return found;
      if (Date.now() > until) throw new Error(`no running master owns the state: ${JSON.stringify(masters)}`);
    }
  }

  async function untilWhole(): Promise<void> {
    await Promise.all(members.flatMap(({ toPostgres, fromMasters }) => [toPostgres.heal(), fromMasters.heal()]));
    for (const one of members) one.thaw();
    await Promise.all(members.filter(({ running }) => !running).map((one) => one.start()));
    let target: number | null = null;
    for (const until = Date.now() + READY_MS; ; await pause(50)) {
      const now = await state().catch(() => null);
      if (now && isWhole(now, target)) return;
      // Under load the others are always a moment behind: they have caught up with what was there when this began.
      target ??= now?.partitions[0]?.seq ?? null;
      if (Date.now() > until) throw new Error(`the cluster does not become whole: ${JSON.stringify(now, null, 1)}`);
    }
  }
  /** All masters that run are known, one owns, the others have applied what it had. */
  function isWhole({ masters }: Cluster, seq: number | null): boolean {
    const mine = members.map(({ advertised }) => masters.find(({ url }) => url === advertised));
    return (
      seq !== null &&
      mine.filter((one) => one?.role === 'owner').length === 1 &&
      mine.every((one) => one && (one.role === 'owner' || (one.role === 'standby' && one.seq >= seq)))
    );
  }

  const cluster: TestCluster = {
    members,
    adminToken,
    workersUrl: `http://127.0.0.1:${balancer.port}`,
    postgres: {
      kill: () => server.kill(),
      stop: () => server.stop(),
      async start() {
        server = await startPostgres({ folder: postgresFolder, port: postgresPort, template: true });
      },
    },
    call,
    state,
    owner,
    standbys: async () => {
      const owning = await owner();
      return members.filter((one) => one !== owning && one.running);
    },
    untilWhole,
    ended: () =>
      members.flatMap((one) => {
        const how = one.ended();
        return how === null ? [] : [`${one.name} ended by itself, ${how}`];
      }),
    async close() {
      await Promise.all(members.map((one) => one.kill()));
      await balancer.close();
      await Promise.all(members.flatMap(({ toPostgres, fromMasters }) => [toPostgres.close(), fromMasters.close()]));
      await server.kill();
      for (const used of [folder, postgresFolder]) forget(used);
    },
  };
  try {
    // The first makes the tables and the first turns; the others may come in any order.
    await Promise.all(members.map((one) => one.start()));
    await untilWhole();
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster;
}

/** Nobody waits for a master that is frozen, or cut off, until the system gives up. */
const patiently: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
