import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MasterRole } from '../../contract/cluster.ts';
import { DEFAULT_PORTS, LIMITS, type Limits } from '../../contract/limits.ts';
import type { LocalWorkerEnded, MasterOptions } from '../../contract/process.ts';
import { VERSION } from '../../contract/version.ts';
import { every, systemClock } from '../../lib/clock.ts';
import { errorMessage } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { isLoopback } from '../../lib/loopback.ts';
import { listenOnPort } from '../../lib/listen-on-port.ts';
import type { CloseStack } from '../startup/close-stack.ts';
import { writeLocalFile } from '../startup/local-files.ts';
import { lockDataFolder } from '../startup/lock.ts';
import { makeProofKey, proofOf } from '../../lib/proof.ts';
import { openProjection, type Projection } from './projection/projection.ts';
import { readTls } from '../startup/policy.ts';
import { createFront, type Destination, type Front } from './front/front.ts';
import { readIdentity, writeIdentity } from './identity.ts';
import type { JournalDatabase } from './journal/port.ts';
import { hostFor, listen, openWorkerPort } from './member-ports.ts';
import { awaitCluster } from './postgres/await-cluster.ts';
import { joinCluster } from './postgres/join-cluster.ts';
import { configOf } from './postgres/store-url.ts';
import type { OpenStore } from './journal/journaled-store.ts';
import { openJournalDatabase } from './postgres/journal-database.ts';
import { openBodies, withBodies } from './snapshot-bodies/with-bodies.ts';
import { isPooled, POOLED } from './postgres/pooler.ts';
import { dialPostgres } from './postgres/dial-postgres.ts';
import { copyBeside, type CopyBeside } from './replica/copy-beside.ts';
import { copyInThread } from './replica/copy-in-thread.ts';
import type { CopyReads, OpenCopyReads } from './port.ts';
import type { ReadHere } from './replica/replica-reads.ts';
import { openReplica, type Replica } from './replica/replica.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { SNAPSHOT_LOOK_MS, type SnapshotRule } from './snapshot-rule.ts';
import { systemTime, type ClusterTime } from './time.ts';
import { troubleLog } from './trouble-log.ts';
import { JOURNAL_LOOK_MS } from './watch-journal.ts';

/** What a member is given by who composes it. */
export interface MemberParts {
  /** Reads the working copy at this file while this master is a standby. */
  readonly openReads: OpenCopyReads;
  /** What the master that serves is built of and that needs no state: opened while this one is a standby. */
  readonly warm: { begin(): void; close(): Promise<void> };
  /** Ends a start that waits: it rejects with the signal's reason. */
  readonly stopped?: AbortSignal | undefined;
}

/** What a master of a cluster has from its start to its end, whoever owns the state. */
export interface ClusterMember {
  readonly id: string;
  readonly options: MasterOptions;
  readonly database: JournalDatabase;
  /** The working copy, as a standby has it. */
  openReplica(): Promise<Replica>;
  /** Reads of it that the owner leaves to this master while it is a standby, and who is asked for them. */
  readonly reads?: { open(): CopyReads; by(readHere: ReadHere | null): void };
  /** The same, as the owner has it. */
  readonly openStore: OpenStore;
  /** Copies of it while the owner goes on writing. */
  copyOfOwner(): CopyBeside;
  /** Opens beforehand what the owner needs, and this machine has whoever owns the state; more than once is no harm. */
  readonly warm: { begin(): void };
  readonly time: ClusterTime;
  readonly port: number;
  /** Where others reach it. */
  readonly url: string;
  /** For the workers of this machine: plain, on loopback. */
  readonly workerUrl: string;
  readonly tokens: { readonly adminToken: string; readonly workerToken: string };
  readonly front: Front;
  /** Of the local file: the command line makes sure by it that this is the master (lib/proof.ts). */
  readonly proofKey: string;
  /** What the other masters are told of this one. */
  readonly state: { role: MasterRole; seq: number; lagMs: number };
  /** Resolves with the first request that could be answered. */
  readonly answering: Promise<void>;
  readonly closing: AbortSignal;
  /** Its working copy was not what the owner's is. */
  foundDiverged?(): void;
  /** The tables for SQL. */
  readonly projection?: Projection;
  readonly limits: Readonly<Limits>;
  /** Of so many turns one carries sums of parts of tables; default: as the recorder has it. */
  readonly checkTurns?: number;
  readonly snapshots: SnapshotRule;
  /** How often the owner looks whether the journal is whole; absent: never. */
  readonly journalLookMs?: number;
  /** Lets commands on this machine find it while it is a standby; gives what ends that. */
  announce(): () => void;
  localWorkerEnded: LocalWorkerEnded;
  watchLocalWorkers(ended: LocalWorkerEnded): void;
  /** Addresses of all masters that were there a moment ago, this one included. */
  masters(): readonly string[];
  watchMasters(changed: () => void): void;
  serveBy(destination: Destination): void;
  /** Requests can be answered from now on. */
  answers(): void;
  /** What went wrong with the database, for people: not each time anew. */
  trouble(message: string): void;
  end(): void;
  /** Until another master owns the state, at most so long. */
  awaitOwner(ms: number): Promise<void>;
}

const REPORT_MS = 500;
/** A small copy is made anew in a moment: the others, and the alert rules, are told of it for so long all the same. */
const DIVERGED_MS = 30_000;

/** Locks the data folder, joins the cluster that the database holds, and opens the port. */
export async function joinAsMaster(
  options: MasterOptions,
  opened: CloseStack,
  { openReads, stopped, warm }: MemberParts,
): Promise<ClusterMember> {
  const { data, log, store } = options;
  const limits = { ...LIMITS, ...options.limits };
  const time = systemTime();
  const secretsKey = options.secretsKey;
  if (secretsKey === null)
    throw new Fault(
      'SECRETS_KEY_INVALID',
      'masters that share PostgreSQL need the same YARDMASTER_SECRETS_KEY: set it on each of them (`openssl rand -base64 32` makes one)',
    );
  const lock = lockDataFolder(data);
  opened.add(() => lock.release());
  const identity = readIdentity(data);
  const file = join(data, 'yardmaster.db');
  if (identity.clusterId === null && existsSync(file))
    throw new Fault(
      'CLUSTER_DIFFERS',
      `the data folder ${data} holds the state of a single master: start with another folder (--data)`,
    );
  const tls = readTls(options.tls);
  const clusterId = await awaitCluster({
    join: () => joinCluster(store, secretsKey, identity.clusterId),
    waitSeconds: limits.postgresWaitSeconds,
    stopped,
    ...{ log, time },
  });
  if (await isPooled(configOf(store))) log(POOLED);
  const bodies = options.snapshots
    ? openBodies(options.snapshots, clusterId, process.env, limits.snapshotObjectBytes)
    : null;
  await bodies?.probe();
  writeIdentity(data, { masterId: identity.masterId, clusterId });
  const id = identity.masterId;

  const derive = (what: string): string =>
    createHmac('sha256', secretsKey).update(`yardmaster ${clusterId} ${what}`).digest('base64url');
  const proofKey = makeProofKey();
  const front = createFront({
    masterId: id,
    credential: derive('forwarding'),
    tls,
    holdMs: limits.ownerWaitSeconds * 1000,
    connectMs: limits.forwardConnectSeconds * 1000,
    prove: (nonce) => proofOf(proofKey, nonce, port),
  });
  opened.add(() => front.close());
  const port: number = await listenOnPort(
    { port: options.port, default: DEFAULT_PORTS.master, what: 'the master', option: '--port' },
    (wanted) => listen(front.server, options.host, wanted),
    log,
  );
  const isPlainLoopback = tls === null && isLoopback(options.host);
  const url = options.advertiseUrl ?? `${tls ? 'https' : 'http'}://${hostFor(options.host)}:${port}`;
  const workerUrl = isPlainLoopback ? `http://${hostFor(options.host)}:${port}` : await openWorkerPort(front, opened);

  const journal = openJournalDatabase(dialPostgres(configOf(store)), time, 0);
  const database = bodies === null ? journal : withBodies(journal, bodies);
  opened.add(() => database.close());
  opened.add(() => database.leave(id));
  // Nobody waits for it, and not every system that speaks PostgreSQL's protocol can say.
  void database.warnings().then(
    (warnings) => {
      for (const warning of warnings) log(warning);
    },
    () => {},
  );
  const startedAt = systemClock.now();
  const state: ClusterMember['state'] = { role: 'joining', seq: 0, lagMs: 0 };
  let masters: readonly string[] = [url];
  let mastersChanged = (): void => {};
  function setMasters(others: readonly string[]): void {
    const all = [...new Set([url, ...others])].toSorted();
    if (all.join(' ') === masters.join(' ')) return;
    masters = all;
    mastersChanged();
  }
  const trouble = troubleLog(log);
  let divergedAt = -Infinity;
  const foundDiverged = (): void => void (divergedAt = time.elapsed());
  const shownRole = (): MasterRole =>
    state.role !== 'owner' && time.elapsed() - divergedAt < DIVERGED_MS ? 'diverged' : state.role;
  const report = every(
    REPORT_MS,
    async () =>
      setMasters(await database.report({ id, url, version: VERSION, startedAt, ...state, role: shownRole() })),
    (error) => trouble(errorMessage(error)),
  );
  opened.add(report);

  const tokens = {
    adminToken: options.adminToken ?? `ymt_${derive('admin token')}`,
    workerToken: `ymt_${derive('worker token')}`,
  };
  const projection = openProjection({
    ...{ id, database, time, log, dial: dialPostgres(configOf(store)) },
    file: join(data, 'projection.db'),
    extras: options.projection ?? null,
    role: () => state.role,
    entryBytes: limits.journalUnpackedBytes,
  });
  opened.add(() => projection.close());
  const answering = Promise.withResolvers<void>();
  const closing = new AbortController();
  let ended: LocalWorkerEnded = () => {};
  const member: ClusterMember = {
    ...{ id, proofKey, options, database, warm, time, port, url, workerUrl, front, state, trouble, tokens, projection },
    openReplica: () =>
      openReplica({
        copy: copyInThread(file, false, limits.journalUnpackedBytes),
        database,
        log,
        diverged: foundDiverged,
      }),
    foundDiverged,
    reads: { open: () => openReads(file, secretsKey), by: front.readBy },
    openStore: (given) => openSqlite({ file, ...given }),
    copyOfOwner: () => copyBeside(file),
    announce: () =>
      writeLocalFile(data, {
        url,
        token: tokens.adminToken,
        ports: { master: port, logStore: null, metrics: null, logstash: 0 },
        pid: process.pid,
        startedAt: new Date().toISOString(),
        apiKey: null,
        proofKey,
      }),
    answering: answering.promise,
    closing: closing.signal,
    limits,
    snapshots: { journalBytes: limits.snapshotJournalBytes, lookMs: SNAPSHOT_LOOK_MS },
    journalLookMs: JOURNAL_LOOK_MS,
    localWorkerEnded: (number, exit) => ended(number, exit),
    watchLocalWorkers: (watch) => (ended = watch),
    masters: () => masters,
    watchMasters: (changed) => (mastersChanged = changed),
    serveBy(destination) {
      front.serveBy(destination);
      // The owner says so itself, once it has all that it needs.
      if (destination.kind === 'other') answering.resolve();
    },
    answers: () => answering.resolve(),
    end: () => closing.abort(),
    async awaitOwner(ms) {
      const until = performance.now() + ms;
      while (performance.now() < until) {
        const seen = await database.look().catch(() => null);
        if (seen === null || seen.owner === null || seen.owner === id) {
          if (seen?.handoverTo === null || seen === null) return;
        } else if (!seen.expired && seen.ownerUrl !== null) {
          front.serveBy({ kind: 'other', url: seen.ownerUrl, epoch: seen.epoch });
          await front.idle(until - performance.now());
          return;
        }
        await time.sleep(50);
      }
    },
  };
  return member;
}
