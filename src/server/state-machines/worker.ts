import type { WorkerState } from '../../contract/vocabulary.ts';

/**
 * The state of a worker, from what is known of it now. Down: it said goodbye, or was silent for longer
 * than `downMs`. Unstable: silent for longer than `unstableMs`, or more than half of its last twenty tasks ended with
 * the worker's loss or a crash of the executor. Maxed: heard of, and full. Operational: heard of, and room.
 */
export interface WorkerFacts {
  /** How long nothing was heard of it; null: it was never heard of. */
  readonly silentMs: number | null;
  readonly saidGoodbye: boolean;
  readonly currentTasks: number;
  readonly maxTasks: number;
  /** Newest last. */
  readonly outcomes: readonly TaskOutcome[];
}

/** How one of its tasks ended: `crashed` where the worker, not the task, was at fault. */
export interface TaskOutcome {
  readonly at: number;
  readonly crashed: boolean;
}

export interface WorkerRule {
  readonly unstableMs: number;
  readonly downMs: number;
  /** Outcomes older than this no longer count: an Unstable worker gets no tasks, so only time can clear it. */
  readonly forgetMs: number;
}

/** How many outcomes count. */
export const OUTCOMES_COUNTED = 20;

export function workerState(worker: WorkerFacts, now: number, rule: WorkerRule): WorkerState {
  const { silentMs } = worker;
  if (worker.saidGoodbye || silentMs === null || silentMs > rule.downMs) return 'Down';
  if (silentMs > rule.unstableMs || crashes(worker.outcomes, now - rule.forgetMs, now) * 2 > OUTCOMES_COUNTED)
    return 'Unstable';
  return worker.currentTasks >= worker.maxTasks ? 'Maxed' : 'Operational';
}

/** The list of outcomes with one more, the oldest left out. */
export function addOutcome(outcomes: readonly TaskOutcome[], outcome: TaskOutcome): readonly TaskOutcome[] {
  return [...outcomes.slice(-(OUTCOMES_COUNTED - 1)), outcome];
}

/** None later than now: the clock was set back since, and it would count for as long. */
const crashes = (outcomes: readonly TaskOutcome[], since: number, now: number): number =>
  outcomes.reduce((sum, { at, crashed }) => sum + Number(crashed && at >= since && at <= now), 0);

/** Slots that a worker uses: what is leased to it ahead takes none. */
export const slotsInUse = ({ load, capacity }: { readonly load: number; readonly capacity: number }): number =>
  Math.min(load, capacity);
