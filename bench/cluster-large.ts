import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../scripts/lib/postgres.mjs';
import type { Cluster } from '../src/contract/cluster.ts';
import type { ReadyLine } from '../src/contract/process.ts';
import { pathTo } from '../src/lib/api-client.ts';
import { loopProbe } from './lib/held.ts';
import { api, createKey, publishChain } from './lib/master-api.ts';
import { startMaster } from './lib/processes.ts';
import { line, opening, round, summary } from './lib/report.ts';
import { seedJobs } from './lib/seed-jobs.ts';

/**
 * A cluster with a million jobs: how long it takes to copy them into PostgreSQL, to start a master with an empty folder on
 * them, and to take a snapshot of them; and the longest that either held the event loop of the master that answers meanwhile.
 */
const quick = process.argv.includes('--quick');
const JOBS = quick ? 500 : 1_000_000;
/** Behind so much journal a standby takes a snapshot; of what is sent, which is more, a quarter is compressed away. */
const JOURNAL_MIB = quick ? 2 : 128;
const SNAPSHOT_MIB = quick ? 8 : 200;
const BODY_MIB = 2;
const PATIENCE_MS = 60_000;
const AGAIN_MS = 200;
const EVENT = { params: { workflowId: 'keep', environment: 'dev' } } as const;

/** An answer that does not change, however often the call is repeated. */
class Refused extends Error {}
/** These may change: a call under the same key is under way, or there is too much to do. */
const PASSING: readonly number[] = [408, 409, 429];

opening('cluster-large', quick, ['better-sqlite3', 'pg']);
const folder = mkdtempSync(join(tmpdir(), 'bench-large-'));
const postgresFolder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
chmodSync(postgresFolder, 0o711);
const postgres = await startPostgres({ folder: postgresFolder, durable: true, remove: true });
const secretsKey = randomBytes(32).toString('base64');
const store = { url: postgres.url, secretsKey };
const environment = { YARDMASTER_SNAPSHOT_JOURNAL_BYTES: String(JOURNAL_MIB * 2 ** 20) };
const probe = loopProbe(folder);
const masters: Awaited<ReturnType<typeof startMaster>>[] = [];
const join1 = async () => {
  const { nodeArguments } = probe;
  const master = await startMaster({ workers: 1, durability: 'full', store, nodeArguments, environment });
  masters.push(master);
  return master.ready;
};
try {
  process.exitCode = await measure();
} finally {
  await Promise.all(masters.map((one) => one.stop()));
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<0 | 1> {
  const data = join(folder, 'single');
  // The first start makes the schema.
  await (await startMaster({ workers: 0, durability: 'normal', data })).stop();
  seedJobs(data, JOBS, Date.now());
  const megabytes = Math.round(statSync(join(data, 'yardmaster.db')).size / 2 ** 20);

  const copySeconds = await seconds(() => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [resolve('out/main/cli.js'), 'store', 'copy', '--from', data, '--to', store.url],
      { env: { ...process.env, YARDMASTER_SECRETS_KEY: secretsKey }, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`the copy failed: ${stderr}`);
  });
  line({ jobs: JOBS, megabytes, copySeconds: round(copySeconds) });

  let owner = {} as ReadyLine;
  const firstSeconds = await seconds(async () => void (owner = await join1()));
  line({ firstMasterSeconds: round(firstSeconds) });
  await publishChain(owner, 'keep', undefined, [{ id: 'same', type: 'transform', config: { expression: '1' } }]);
  const key = await createKey(owner);
  const load = startLoad(owner, key);

  await probe.longest(owner.pid);
  const standbySeconds = await seconds(async () => {
    const joined = await join1();
    await until(owner, (view) => view.masters.some(({ url, role }) => url === joined.url && role === 'standby'));
  });
  const whileRestored = await probe.longest(owner.pid);
  line({
    standbySeconds: round(standbySeconds),
    ownerHeldMs: round(whileRestored.cpuMs),
    wallMs: round(whileRestored.wallMs),
  });

  const before = (await again(() => api(owner).call('cluster.get'))).journal?.snapshots[0]?.seq ?? 0;
  const body = JSON.stringify([{ content: randomBytes(BODY_MIB * 2 ** 20 * 0.75).toString('base64') }]);
  for (let sent = 0; sent < SNAPSHOT_MIB / BODY_MIB; sent++) await send(owner, key, body, { prefer: 'respond-async' });
  await probe.longest(owner.pid);
  const snapshotSeconds = await seconds(() =>
    until(owner, ({ journal }) => (journal?.snapshots ?? []).some(({ seq }) => seq > before)),
  );
  const whileTaken = await probe.longest(owner.pid);
  const { calls, slowestMs } = await load.stop();
  line({
    snapshotSeconds: round(snapshotSeconds),
    ownerHeldMs: round(whileTaken.cpuMs),
    wallMs: round(whileTaken.wallMs),
    calls,
    slowestMs: round(slowestMs),
  });
  return summary([
    { name: 'start of a master with an empty folder, s', value: firstSeconds, target: 60, wanted: 'at most' },
    {
      name: 'snapshot by a standby, with the wait for it to begin, s',
      value: snapshotSeconds,
      target: 120,
      wanted: 'at most',
    },
    {
      name: 'longest hold of the owner while a standby restores, ms of its processor',
      value: whileRestored.cpuMs,
      target: 50,
      wanted: 'at most',
    },
    {
      name: 'longest hold of the owner while a standby takes a snapshot, ms of its processor',
      value: whileTaken.cpuMs,
      target: 50,
      wanted: 'at most',
    },
  ]);
}

async function seconds(run: () => unknown): Promise<number> {
  const from = performance.now();
  await run();
  return (performance.now() - from) / 1000;
}

async function send(
  { url }: ReadyLine,
  key: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const idempotencyKey = randomUUID();
  const request: RequestInit = {
    method: 'POST',
    headers: { 'api-key': key, 'content-type': 'application/json', 'idempotency-key': idempotencyKey, ...headers },
    body,
  };
  await again(async () => {
    const answer = await fetch(`${url}${pathTo('events.send', EVENT)}`, request);
    const text = await answer.text();
    const words = `${answer.status} ${text.slice(0, 300)}`;
    if (answer.status >= 400 && answer.status < 500 && !PASSING.includes(answer.status)) throw new Refused(words);
    if (!answer.ok) throw new Error(words);
  });
}

/** On a machine with too much to do the owner may lose its lease, and close what was open: a caller repeats the call, and so does this one. */
async function again<T>(call: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + PATIENCE_MS; ; await sleep(AGAIN_MS)) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof Refused || performance.now() > until) throw error;
    }
  }
}

/** One call after the other, as somebody who is there all the time. */
function startLoad(master: ReadyLine, key: string) {
  let stopped = false;
  let calls = 0;
  let slowestMs = 0;
  const done = (async () => {
    while (!stopped) {
      const ms = (await seconds(() => send(master, key, '[{}]'))) * 1000;
      calls++;
      slowestMs = Math.max(slowestMs, ms);
      await sleep(20);
    }
  })();
  done.catch(() => {});
  return {
    async stop() {
      stopped = true;
      await done;
      return { calls, slowestMs };
    },
  };
}

async function until(master: ReadyLine, holds: (cluster: Cluster) => boolean): Promise<void> {
  while (!holds(await again(() => api(master).call('cluster.get')))) await sleep(100);
}
