import type { Task } from '../../../../contract/tasks.ts';

/**
 * What a task did in a stretch of time. `queue`: waits for a worker; `handed`: a worker has it, not started; `wait`: for a time, a
 * signal, an approval or a child job, without a worker; `backoff`: waits for its retry.
 */
export type SegmentKind = 'queue' | 'handed' | 'run' | 'wait' | 'backoff';
export interface Segment {
  readonly kind: SegmentKind;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly attempt: number;
  /** How a run ended; null while it goes on and for waits. */
  readonly ended: 'COMPLETED' | 'FAILED' | 'RUN_TIMEOUT' | null;
  readonly workerId: string | null;
}

const KINDS = { READY: 'queue', SCHEDULED: 'handed', RUNNING: 'run', FAILED: 'backoff' } as const;

/** The stretches of a task from its transitions, in order; the last one of an open task ends at `now`. */
export function timelineSegments(
  task: Pick<Task, 'history' | 'retryAt' | 'state' | 'workerId'>,
  now: number,
): Segment[] {
  const segments: Segment[] = [];
  for (const [index, step] of task.history.entries()) {
    // Absent for the states that draw nothing.
    const kind = KINDS[step.to as keyof typeof KINDS];
    if (kind === undefined) continue;
    const next = task.history[index + 1];
    // A final failure ends the bar; it waits for nothing.
    if (kind === 'backoff' && next === undefined && task.retryAt === null) continue;
    const from = Date.parse(step.at);
    const to = next === undefined ? Math.max(now, from) : Math.max(Date.parse(next.at), from);
    const ended =
      kind === 'run' &&
      next !== undefined &&
      (next.to === 'COMPLETED' || next.to === 'FAILED' || next.to === 'RUN_TIMEOUT')
        ? next.to
        : null;
    // A worker may have begun it, but has it no more: the master waits for what ends it.
    const isWait = kind === 'run' && next === undefined && task.workerId === null;
    segments.push({ kind: isWait ? 'wait' : kind, from, to, attempt: step.attempt, ended, workerId: step.workerId });
  }
  return segments;
}

/** First and last moment of all; null where there is nothing to draw. */
export function timelineSpan(lanes: readonly (readonly Segment[])[]): { from: number; to: number } | null {
  let from = Infinity;
  let to = -Infinity;
  for (const lane of lanes)
    for (const segment of lane) {
      from = Math.min(from, segment.from);
      to = Math.max(to, segment.to);
    }
  return from === Infinity ? null : { from, to: Math.max(to, from + 1) };
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000,
];

/** Marks of a time axis that starts at 0: offsets in milliseconds, at most `most` of them, on round numbers. */
export function timelineTicks(lengthMs: number, most: number): number[] {
  const step =
    STEPS_MS.find((candidate) => lengthMs / candidate <= most) ?? Math.ceil(lengthMs / most / 86_400_000) * 86_400_000;
  return Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, i) => i * step);
}
