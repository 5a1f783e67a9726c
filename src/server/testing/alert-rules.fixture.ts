import { copyFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import { createAccess } from '../access/access.ts';
import { createAlerts } from '../alerts/alerts.ts';
import type { AlertSources } from '../alerts/sources.ts';
import { createSecrets } from '../secrets/secrets.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { ensureDatabase } from './empty-database.fixture.ts';
import { handClock } from './engine.fixture.ts';
import { threeMasters } from '../../lib/cluster.fixture.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

/** One series as a test sets it. */
export interface Reading {
  tags: Record<string, string>;
  value: number;
}

/** The alerts room over a real database, with readings and a clock that the test owns. */
export async function openAlertRig({
  folder = temporaryFolder('ym-alerts'),
  clock = handClock(Date.UTC(2026, 0, 1)),
  limits: over = {},
  givenKeys = null,
}: {
  folder?: string;
  clock?: ReturnType<typeof handClock>;
  limits?: Partial<Limits>;
  givenKeys?: string | null;
} = {}) {
  const file = join(folder, 'yardmaster.db');
  const limits: Limits = { ...LIMITS, alertSendSeconds: 2, ...over };
  await ensureDatabase(file);
  const store = openSqlite({ file, durability: 'normal' });
  const said: string[] = [];
  const errors: unknown[] = [];
  const published: string[] = [];
  const access = createAccess({ store, clock, limits });
  const secrets = await createSecrets({
    store,
    clock,
    limits,
    record: access.audit.record,
    keyFile: join(folder, 'secrets.key'),
    givenKeys,
    log: (line) => void said.push(line),
  });
  /** What queries find now: series, or why they fail. Log queries answer with the number of records. */
  const world = {
    series: [] as Reading[],
    fails: null as Error | null,
    hold: null as Promise<void> | null,
    records: 0,
    /** Rows of a LogsQL query with `stats`. */
    rows: [] as Record<string, string>[],
    asked: 0,
    workers: { total: 2, down: 0 },
    lost: [] as { id: string; url: string; since: number }[],
    queue: 0,
    disk: 0.5,
    /** A single master, unless a test says otherwise. */
    cluster: threeMasters({ mode: 'single' }),
  };
  const sources: AlertSources = {
    async series({ measurement, from, to, intervalMs, limit }) {
      if (measurement === 'task_metrics') return { from, to, intervalMs: null, total: 0, series: [] };
      // Three in each window.
      if (measurement === 'windows') {
        const times = Array.from(
          { length: Math.floor((to - from) / (intervalMs ?? to - from)) },
          (_, i) => from + i * (intervalMs ?? 0),
        );
        return { from, to, intervalMs, total: 1, series: [{ tags: {}, times, values: times.map(() => 3) }] };
      }
      world.asked++;
      await world.hold;
      if (world.fails) throw world.fails;
      return {
        from,
        to,
        intervalMs: null,
        total: world.series.length,
        series: world.series.slice(0, limit).map(({ tags, value }) => ({ tags, times: [from], values: [value] })),
      };
    },
    logs: {
      async *run() {
        yield Buffer.from(world.rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      },
      hits: async () => ({
        hits:
          world.records === 0
            ? []
            : [
                {
                  fields: {},
                  timestamps: [new Date(clock.now()).toISOString()],
                  values: [world.records],
                  total: world.records,
                },
              ],
      }),
    },
    workflowsOf: () => [],
    engine: {
      workers: () => world.workers,
      lost: () => world.lost,
      queueDepth: () => world.queue,
      tasks: async () => ({ ready: world.queue, scheduled: 0, running: 0 }),
      diskUsed: async () => world.disk,
      pipelineQueue: () => 0,
      wrongCredentials: () => 0,
      targets: () => [],
      targetsLost: () => [],
      sendersRefused: () => [],
      approvalsWatched: () => [],
      schedules: () => [],
      webhooks: () => [],
      approvalsWaiting: () => [],
      damagedData: () => 0,
      runs: async () => [],
      cluster: async () => world.cluster,
    },
  };
  const { alerts, step, settled } = await createAlerts({
    store,
    clock,
    limits,
    feed: { publish: (_kind, id) => void published.push(id) },
    record: access.audit.record,
    cipher: secrets.cipher,
    sources,
    url: () => 'http://master:8700',
    log: (line) => void said.push(line),
    onError: (error) => void errors.push(error),
    random: () => 0.5,
  });

  return {
    alerts,
    clock,
    world,
    store,
    said,
    errors,
    published,
    folder,
    access,
    /** Evaluates and sends what is due now, and waits for it. */
    async run(seconds = 0): Promise<void> {
      clock.advance(seconds * 1000);
      step();
      await settled();
      step();
      await settled();
      // What was left to the store is in it too.
      await store.write(() => {}).catch(() => {});
    },
    step,
    settled,
    /** SIGKILL: the database as it is at this moment, for another rig. */
    async crash(): Promise<string> {
      const copy = temporaryFolder('ym-alerts');
      for (const name of ['yardmaster.db', 'yardmaster.db-wal', 'secrets.key'])
        if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
      await this.close();
      return copy;
    },
    async close(): Promise<void> {
      await alerts.close();
      await access.close();
      await store.close();
    },
  };
}
export type AlertRig = Awaited<ReturnType<typeof openAlertRig>>;

/** What a receiver was sent. */
export interface Received {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

/** A receiver of hooks over real HTTP. `answer` says with what it answers. */
export async function startReceiver() {
  const received: Received[] = [];
  const state = { status: 200, text: 'ok', headers: {} as Record<string, string> };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (state.status < 300)
        received.push({
          path: request.url ?? '',
          headers: request.headers,
          body: JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>,
        });
      response.writeHead(state.status, state.headers).end(state.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    state,
    port,
    url: `http://127.0.0.1:${port}/hook`,
    close: () => new Promise<void>((resolve) => void (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

/** A mail server that asks for a name and a password. */
export async function startMailServer() {
  const mails: string[] = [];
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'ops' && password === 'hunter-22'
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { mails, port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}
