import type { JobRecord, TaskRecord, ReplicaProgress, NodeTask } from './records.ts';
import { REPLICA_PROGRESS } from './sql.ts';
import { touchJob } from './transaction.ts';
import type { Transaction } from './port.ts';

/** Nodes of a graph from which on it is kept: a smaller one is read as quickly. */
const LARGE = 32;
/** Nodes of all that are kept; beyond, the oldest goes. About 100 bytes each. */
const KEPT_NODES = 200_000;

/** Reads it, and keeps it where the graph is large. Flush the job's tasks before. */
export function readProgress(tx: Transaction, job: JobRecord, replica: number): ReadonlyMap<string, NodeTask> {
  const { progress } = tx.memory;
  const made = new Map<string, NodeTask>();
  for (const { node, seq, state, port } of tx.db
    .query<{ node: string; seq: number; state: string; port: string | null }>(REPLICA_PROGRESS)
    .all(job.seq, replica))
    made.set(node, { seq, done: state === 'COMPLETED', port: port ?? undefined });
  const { size } = job.plan.graph.nodes;
  if (size < LARGE) return made;
  // So that a turn that is undone lets it go.
  touchJob(tx, job);
  const kept: ReplicaProgress = { job, replica, made };
  (job.progress ??= new Map()).set(replica, kept);
  progress.add(kept);
  let nodes = 0;
  for (const {
    job: { plan },
  } of progress)
    nodes += plan.graph.nodes.size;
  for (const oldest of progress) {
    if (nodes <= KEPT_NODES || oldest === kept) break;
    nodes -= oldest.job.plan.graph.nodes.size;
    forgetReplica(progress, oldest.job, oldest.replica);
  }
  return made;
}

/** A task was made, or has ended. */
export function recordProgress({ job, replica, node, seq, facts, item, port }: TaskRecord): void {
  if (job.progress !== null && item === null)
    job.progress.get(replica)?.made.set(node.id, { seq, done: facts.state === 'COMPLETED', port: port ?? undefined });
}

/** The replica is at its end. */
export function forgetReplica(kept: Set<ReplicaProgress>, job: JobRecord, replica: number): void {
  const one = job.progress?.get(replica);
  if (!one) return;
  kept.delete(one);
  job.progress?.delete(replica);
  if (job.progress?.size === 0) job.progress = null;
}
