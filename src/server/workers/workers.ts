import { WebSocketServer } from 'ws';
import type { Limits } from '../../contract/limits.ts';
import type { Page } from '../../contract/shapes.ts';
import {
  workerLimits,
  type AnnouncedPipeline,
  type HttpPolicy,
  type MetricPoint,
} from '../../contract/worker-protocol.ts';
import type { Worker } from '../../contract/workers.ts';
import { watchClockJumps } from '../../lib/clock-jump.ts';
import { every, type SteadyClock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { AuditNote } from '../access/port.ts';
import type { Feed } from '../feed/port.ts';
import type { Offload } from '../offload/port.ts';
import type { TaskReport } from '../state-machines/report.ts';
import type { Store } from '../store/port.ts';
import { createDrain } from './drain.ts';
import { saveEntry, workerView, type WorkerEntry } from './worker-entry.ts';
import { findReplacements, listWorkers } from './list-workers.ts';
import type { Workers } from './port.ts';
import type { RunsOfWorkers } from './own-points.ts';
import { createProgressBoard } from './progress.ts';
import { createRefusals } from './refusals.ts';
import { openRegistry } from './registry.ts';
import { openSession } from './session.ts';

export interface WorkersDeps {
  readonly store: Store;
  readonly clock: SteadyClock;
  readonly limits: Readonly<Limits>;
  readonly feed: Pick<Feed, 'publish'>;
  /** Where workers ship their log lines; null: nowhere. */
  pipeline(): AnnouncedPipeline | null;
  /** Which addresses `http` nodes may call. Default: those that a master on loopback allows. */
  http?(): HttpPolicy;
  /** Addresses of all masters of the cluster. Default: it is a single one. */
  masters?(): readonly string[];
  record(point: MetricPoint): void;
  /** Workers of the owner before are on their way to this one: for so long calls wait for them. Default: 0. */
  expectMs?: number;
  onError(error: unknown): void;
  /** Takes large frames off the event loop. */
  offload?: Pick<Offload, 'call'>;
  /** How often states are looked at; tests look by hand. */
  lookMs?: number;
}

/** What the workers room tells who gives them tasks; see `WorkerPoolEvents` of the jobs room, which fits it. */
export interface WorkerEvents {
  report(workerId: string, reports: readonly TaskReport[]): void;
  joined(workerId: string, running: readonly { id: string; attempt: number }[]): Promise<void>;
  gone(workerId: string, leases: readonly { id: string; attempt: number }[]): void;
  down(workerId: string): void;
  /** Calls back once all that workers told so far is stored for good: only then may they forget it. Never, where that cannot be said. */
  settled(done: () => void): void;
  room(): void;
}

/** How often states are looked at, and the state of a silent worker is found out at the latest. */
const LOOK_MS = 500;

/** The workers room: `workers` for the routes, `workerPool` for who gives tasks; call `attach` once before sockets come in. */
export function createWorkers(deps: WorkersDeps) {
  const { store, clock, limits, feed, record, onError } = deps;
  let listener: WorkerEvents | null = null;
  let runs: RunsOfWorkers | null = null;
  const expectedUntil = clock.elapsed() + (deps.expectMs ?? 0);
  const registry = openRegistry(deps, { down: (id) => listener?.down(id), room: () => listener?.room() });
  const drain = createDrain(registry);
  const progress = createProgressBoard(feed, clock);
  const refusals = createRefusals(clock.now);
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.workerFrameBytes,
    clientTracking: false,
    // A pong is the receipt of reports, see `receipt` in session.ts.
    autoPong: false,
  });
  const lookMs = deps.lookMs ?? LOOK_MS;
  const absence = watchClockJumps({ now: clock.elapsed }, lookMs);
  async function look(): Promise<void> {
    registry.excuse(absence.since());
    await registry.look();
    absence.ended();
  }
  const stopLooking = every(lookMs, look, onError);

  const http = deps.http ?? (() => ({ allowPrivate: true, allow: [] }));

  const found = (id: string): WorkerEntry => {
    const entry = registry.find(id);
    if (!entry)
      throw new Fault('WORKER_NOT_FOUND', `worker ${id} not found; workers that were Down for a long time are removed`);
    return entry;
  };
  async function setDrained(id: string, drained: boolean, audit?: AuditNote): Promise<Worker> {
    const entry = found(id);
    const before = entry.drained;
    const save = saveEntry({ ...entry, drained });
    await store.write((db) => {
      save(db);
      if (before !== drained)
        audit?.(db, {
          action: drained ? 'worker.drain' : 'worker.resume',
          target: `worker:${id}`,
          before: { drained: before },
          after: { drained },
        });
    });
    entry.drained = drained;
    registry.refresh(entry);
    feed.publish('worker', id);
    return workerView(entry);
  }

  const workers: Workers = {
    list: async (query): Promise<Page<Worker>> => listWorkers(registry.all(), query),
    get: async (id) => workerView(found(id), findReplacements(registry.all())(found(id))),
    drain: (id, audit) => setDrained(id, true, audit),
    async forget(id, audit) {
      const entry = found(id);
      if (entry.state !== 'Down')
        throw new Fault('WORKER_NOT_DOWN', `worker ${id} is ${entry.state}; only a worker that is down can be removed`);
      if (audit)
        await store.write((db) =>
          audit(db, {
            action: 'worker.forget',
            target: `worker:${id}`,
            before: { state: entry.state, url: entry.url },
            after: null,
          }),
        );
      // It may have come back meanwhile.
      if (entry.state === 'Down') registry.forget(entry);
    },
    async resume(id, audit) {
      const entry = found(id);
      // Whoever resumes an Unstable worker trusts it again.
      entry.outcomes = [];
      return setDrained(id, false, audit);
    },
    get anyAlive() {
      return registry.anyAlive() || clock.elapsed() < expectedUntil;
    },
    upgrade(request, socket, head, credential) {
      server.handleUpgrade(request, socket, head, (ws) =>
        openSession(ws, socket, credential, {
          registry,
          limits,
          clock,
          pipeline: deps.pipeline,
          http,
          masters: () => deps.masters?.() ?? null,
          record,
          progress,
          refused: refusals.add,
          onError,
          offload: deps.offload ?? null,
          listener: () => listener,
          runs: () => runs,
        }),
      );
    },
    refused: refusals.add,
    ofToken: (tokenId) => {
      const replacedBy = findReplacements(registry.all());
      const own = [...registry.all()].filter((entry) => entry.tokenId === tokenId);
      return { workers: own.map((entry) => workerView(entry, replacedBy(entry))), refused: refusals.list() };
    },
    progress: progress.of,
    overview: () => registry.overview(),
    lost: () =>
      registry.lost().map(({ id, url, lastHeartbeatAt, downAt }) => ({ id, url, since: lastHeartbeatAt ?? downAt })),
    drainAll: (seconds) => drain.all(seconds),
    disconnectAll: () => registry.disconnectAll(),
    async close() {
      await stopLooking();
      await registry.close();
      server.close();
    },
  };

  const workerPool = {
    workers: () => registry.all(),
    worker: (id: string) => registry.find(id),
    lease: (id: string, leases: readonly string[], commits: Parameters<NonNullable<WorkerEntry['link']>['run']>[1]) =>
      registry.find(id)?.link?.run(leases, commits),
    kill: (id: string, ids: readonly string[], reason: string) =>
      registry.find(id)?.link?.send({ t: 'kill', ids: [...ids], reason }),
    lost: (id: string, leases: readonly { id: string; attempt: number }[]) =>
      registry.find(id)?.link?.send({
        t: 'lost',
        ids: leases.map((lease) => lease.id),
        attempts: leases.map((lease) => lease.attempt),
      }),
    verify: (id: string, leases: readonly { id: string; attempt: number }[]) =>
      registry.find(id)?.link?.send({ t: 'check', leases: [...leases] }),
    attemptEnded: (id: string, crashed: boolean) => registry.outcome(id, crashed),
    changed(id: string) {
      registry.changed(id);
      drain.check();
    },
  };
  /** Limits or rules changed: workers with a link hear of it at once, others with their next welcome. */
  function tellLimits(): void {
    for (const { link } of registry.all()) link?.send({ t: 'limits', limits: workerLimits(limits), http: http() });
  }

  function tellMasters(): void {
    const masters = deps.masters?.();
    if (masters) for (const { link } of registry.all()) link?.send({ t: 'masters', masters });
  }

  return {
    workers,
    workerPool,
    tellLimits,
    tellMasters,
    /** The token that a worker joined with; null: it is not known, or was forgotten. */
    tokenOf: (id: string): string | null => registry.find(id)?.tokenId ?? null,
    ended: registry.ended,
    /** `known`: who knows tasks and jobs. */
    attach(to: WorkerEvents, known: RunsOfWorkers) {
      listener = to;
      runs = known;
    },
    look: () => registry.look(),
    timedLook: look,
  };
}
