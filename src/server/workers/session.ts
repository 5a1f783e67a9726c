import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Limits } from '../../contract/limits.ts';
import {
  WORKER_PROTOCOL,
  workerLimits,
  type AnnouncedPipeline,
  type HttpPolicy,
  type MetricPoint,
} from '../../contract/worker-protocol.ts';
import type { Clock } from '../../lib/clock.ts';
import { unreachable } from '../../lib/fault.ts';
import { inSlices } from '../../lib/in-slices.ts';
import type { Offload } from '../offload/port.ts';
import type { TakenFrame } from '../state-machines/report.ts';
import { slotsInUse } from '../state-machines/worker.ts';
import type { WorkerEntry } from './worker-entry.ts';
import { openLink, type Hello, type Link } from './link.ts';
import { createOwnPoints, type RunsOfWorkers } from './own-points.ts';
import type { LinkCredential } from './port.ts';
import type { ProgressBoard } from './progress.ts';
import type { Refusals } from './refusals.ts';
import type { Registry } from './registry.ts';
import type { WorkerEvents } from './workers.ts';

export interface SessionDeps {
  readonly registry: Registry;
  readonly limits: Readonly<Limits>;
  readonly clock: Clock;
  pipeline(): AnnouncedPipeline | null;
  http(): HttpPolicy;
  masters(): readonly string[] | null;
  record(point: MetricPoint): void;
  readonly progress: ProgressBoard;
  readonly refused: Refusals['add'];
  onError(error: unknown): void;
  readonly offload: Pick<Offload, 'call'> | null;
  listener(): WorkerEvents | null;
  /** Null: nobody knows tasks yet. */
  runs(): RunsOfWorkers | null;
}

/** RFC 6455's registry: "try again later". */
const CLOSE_TRY_AGAIN = 1013;
const TOKEN_FULL =
  "the handlers and labels of this token's workers exceed 16 Mi characters: shorten them, or use another token";

const NO_RUNS: RunsOfWorkers = { ofTask: () => null, ofJob: () => [], placeOf: () => null };

/** One connection of a worker, from its hello to the end of its socket. `raw` is what the web socket runs over. */
export function openSession(socket: WebSocket, raw: Duplex, credential: LinkCredential, deps: SessionDeps): void {
  const { registry, limits } = deps;
  let joined: { entry: WorkerEntry; link: Link } | null = null;
  const isOwn = (workerId: string) => registry.find(workerId)?.tokenId === credential.tokenId;
  let ownPoint: ReturnType<typeof createOwnPoints> | null = null;

  function hello(frame: Hello, link: Link) {
    const entry = registry.register(frame, link, credential);
    if (entry === 'full') {
      // It tries again: workers that are Down give their room back.
      deps.refused({ address: credential.address, code: 'TOKEN_FULL', message: TOKEN_FULL });
      return link.close(CLOSE_TRY_AGAIN, TOKEN_FULL);
    }
    if (entry === 'taken')
      return link.refuse(
        'WORKER_ID_TAKEN',
        `the worker ID ${frame.workerId} belongs to another token: leave the ID out, and the master assigns one`,
      );
    joined = { entry, link };
    const masters = deps.masters();
    link.send({
      t: 'welcome',
      workerId: entry.id,
      protocol: WORKER_PROTOCOL,
      heartbeatSeconds: limits.heartbeatSeconds,
      logstash: deps.pipeline(),
      limits: workerLimits(limits),
      http: deps.http(),
      ...(masters ? { masters } : {}),
    });
    // Tasks given before its leases are compared with ours would look as if it had lost them.
    deps
      .listener()
      ?.joined(entry.id, frame.running)
      .then(() => registry.admit(entry, link), deps.onError);
  }

  /** Whose run a point is of may have to be asked of the database. */
  function recordPoints({ id }: WorkerEntry, points: readonly MetricPoint[]): Promise<void> | undefined {
    const own = (ownPoint ??= createOwnPoints(deps.runs() ?? NO_RUNS, isOwn, deps.clock.now));
    return inSlices(points, (given) => {
      const point = own(given);
      if (point) deps.record({ ...point, tags: { ...point.tags, worker_id: id } });
    });
  }

  function take(entry: WorkerEntry, frame: Exclude<TakenFrame, Hello>): Promise<void> | undefined {
    switch (frame.t) {
      case 'beat':
        entry.cpu = frame.cpu;
        entry.memory = frame.memory;
        registry.heard(entry);
        deps.record(workerPoint(entry, deps.clock.now()));
        return undefined;
      case 'report':
        deps.listener()?.report(entry.id, frame.items);
        return undefined;
      case 'metrics':
        return recordPoints(entry, frame.points);
      case 'progress':
        deps.progress.take(entry.id, frame.items);
        return undefined;
      case 'gone':
        deps.listener()?.gone(entry.id, frame.leases);
        return undefined;
      case 'drain':
        entry.leaving = true;
        registry.refresh(entry);
        return undefined;
      case 'bye':
        registry.goodbye(entry);
        return undefined;
      default:
        return unreachable(frame);
    }
  }

  // What ends with its token ends at once: the worker is Down, and what it holds is lost.
  const forget = credential.onEnded(() => {
    if (credential.isValid()) return;
    if (joined && joined.entry.link === joined.link) registry.goodbye(joined.entry);
    socket.terminate();
  });

  openLink(socket, raw, {
    hello,
    frame(frame) {
      // A link that another one of the same worker replaced is no longer heard.
      return joined && joined.entry.link === joined.link ? take(joined.entry, frame) : undefined;
    },
    // Until then the worker keeps its reports, and sends them again over its next link.
    receipt: (give) => deps.listener()?.settled(give),
    refused: (code, message) => deps.refused({ address: credential.address, code, message }),
    closed() {
      forget();
      if (joined) registry.unlinked(joined.entry, joined.link);
    },
    offload: deps.offload,
    items: limits.workerFrameItems,
    onError: deps.onError,
  });
}

function workerPoint(entry: WorkerEntry, time: number): MetricPoint {
  const { id, cpu, memory, capacity } = entry;
  return {
    time,
    measurement: 'worker_metrics',
    tags: { worker_id: id },
    fields: {
      gauge_cpu_usage: cpu ?? 0,
      gauge_memory_usage: memory ?? 0,
      gauge_current_tasks: slotsInUse(entry),
      gauge_max_tasks: capacity,
    },
  };
}
