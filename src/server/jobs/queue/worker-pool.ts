import type { WorkerState } from '../../../contract/vocabulary.ts';
import type { LeasedNode } from '../../../contract/worker-protocol.ts';
import type { TaskReport } from '../../machine/report.ts';

/** One worker as the engine sees it. The workers room owns all but `load`, which counts the leases that it holds. */
export interface PoolWorker {
  readonly id: string;
  /** Tasks that it may hold at once. */
  readonly capacity: number;
  /** True where it is Operational or Maxed, not drained, and linked. */
  readonly accepting: boolean;
  readonly state: WorkerState;
  readonly drained: boolean;
  /** It is there, and what it holds was compared with what it should hold. */
  readonly admitted: boolean;
  /** When it joined last, in milliseconds. */
  readonly registeredAt: number;
  /** Names of the functions that it has registered. */
  readonly handlers: readonly string[];
  /** It runs nodes of type `handler` alone. */
  readonly handlersOnly: boolean;
  load: number;
}

/** What the engine asks of the workers. The workers room implements it; nothing here waits. */
export interface WorkerPool {
  workers(): Iterable<PoolWorker>;
  /** Known workers, also those that are away; undefined for one that was forgotten. */
  worker(workerId: string): PoolWorker | undefined;
  /** Sends one frame. `leases` are JSON texts; the nodes of a commit go before its first lease on that link. */
  lease(
    workerId: string,
    leases: readonly string[],
    commits: readonly { commit: string; nodes: readonly LeasedNode[] }[],
  ): void;
  kill(workerId: string, ids: readonly string[], reason: string): void;
  /** These reports came under an old lease. */
  lost(workerId: string, leases: readonly { id: string; attempt: number }[]): void;
  /** Asks it whether it still holds these. */
  verify(workerId: string, leases: readonly { id: string; attempt: number }[]): void;
  /** How a task ended that it held: `crashed` where the worker was at fault. */
  attemptEnded(workerId: string, crashed: boolean): void;
  /** Its load or capacity in use changed. */
  changed(workerId: string): void;
}

/** What the workers tell the engine. */
export interface WorkerPoolEvents {
  report(workerId: string, reports: readonly TaskReport[]): void;
  /** It has (re)joined and holds exactly these leases. It may be given tasks once this resolves. */
  joined(workerId: string, running: readonly { id: string; attempt: number }[]): Promise<void>;
  /** It was asked, and does not hold these. */
  gone(workerId: string, leases: readonly { id: string; attempt: number }[]): void;
  /** It is Down: what it held is lost. */
  down(workerId: string): void;
  /** There may be room for queued tasks. */
  room(): void;
}
