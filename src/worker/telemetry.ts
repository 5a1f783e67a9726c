import type { MetricPoint, WorkerFrame } from '../contract/worker-protocol.ts';

/** Metric points and progress of handlers, on their way to the master. */
export interface Telemetry {
  /** A point of a handler's own. While the link is down points wait; beyond `POINTS_MOST` the oldest go and are counted. */
  point(point: MetricPoint): void;
  /** How far a task is. Only the newest of a quarter of a second is sent, and none while the link is down. */
  progress(id: string, attempt: number, fraction: number, message: string | null): void;
  /** The task has ended: what waits of its progress is dropped. */
  taskEnded(id: string): void;
  attach(send: (frame: WorkerFrame) => void): void;
  detach(): void;
  flush(): void;
  readonly dropped: number;
}

type ProgressItem = Extract<WorkerFrame, { t: 'progress' }>['items'][number];

const POINTS_MOST = 10_000;
/** Points of one frame. */
const FRAME_POINTS = 1000;
const PROGRESS_MS = 250;

export function createTelemetry(): Telemetry {
  let send: ((frame: WorkerFrame) => void) | null = null;
  let points: MetricPoint[] = [];
  let dropped = 0;
  let flushing = false;
  const waiting = new Map<string, ProgressItem>();
  let sentAt = 0;
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    flushing = false;
    if (send === null) return;
    for (let from = 0; from < points.length; from += FRAME_POINTS)
      send({ t: 'metrics', points: points.slice(from, from + FRAME_POINTS) });
    points = [];
  }

  function sendProgress(): void {
    timer = null;
    sentAt = performance.now();
    if (send !== null && waiting.size > 0) send({ t: 'progress', items: [...waiting.values()] });
    waiting.clear();
  }

  return {
    point(point) {
      points.push(point);
      if (points.length > POINTS_MOST) {
        points.shift();
        dropped++;
      }
      if (flushing) return;
      flushing = true;
      // Before the report of its task, which goes out at the end of a turn.
      process.nextTick(flush);
    },
    progress(id, attempt, fraction, message) {
      waiting.set(id, { id, attempt, fraction, message });
      timer ??= setTimeout(sendProgress, Math.max(0, sentAt + PROGRESS_MS - performance.now())).unref();
    },
    taskEnded: (id) => void waiting.delete(id),
    attach(to) {
      send = to;
      flush();
    },
    detach() {
      send = null;
    },
    flush,
    get dropped() {
      return dropped;
    },
  };
}
