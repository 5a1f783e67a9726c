import { createLinkedList } from '../../../lib/linked-list.ts';
import type { Plan } from '../engine/plan.ts';
import type { JobRecord } from '../engine/records.ts';
import type { ConcurrencyLimit, ConcurrencyLimits, QueuedJob, QueueLane, PriorityLevel, TaskNeeds } from './port.ts';

export const createPriorityLevel = (priority: number): PriorityLevel => ({
  priority,
  lanes: [],
  plain: new Map(),
  byName: new Map(),
  size: 0,
  served: 0,
  cursor: 0,
  hasUnread: false,
  leftInDatabaseAt: -1,
});

export function findOrCreateLane(
  level: PriorityLevel,
  { handler, environment }: TaskNeeds,
  concurrencyLimits: readonly ConcurrencyLimit[],
): QueueLane {
  const isPlain = handler === null && concurrencyLimits.length === 0;
  const plain = isPlain ? level.plain.get(environment) : undefined;
  if (plain) return plain;
  const name = `${environment ?? ''}\n${handler ?? ''}\n${concurrencyLimits.map(({ scope, id }) => `${scope} ${id}`).join('\n')}`;
  let lane = level.byName.get(name);
  if (!lane) {
    lane = {
      level,
      handler,
      environment,
      limits: concurrencyLimits,
      jobs: createLinkedList(),
      size: 0,
      inDatabase: false,
      rejected: false,
    };
    level.lanes.push(lane);
    level.byName.set(name, lane);
    if (isPlain) level.plain.set(environment, lane);
  }
  return lane;
}

const handlers = new WeakMap<Plan, readonly (string | null)[]>();

/** The lanes in which a job's tasks can come to stand. */
export function lanesForJob(
  level: PriorityLevel,
  job: JobRecord,
  concurrencyLimits: ConcurrencyLimits,
): readonly QueueLane[] {
  let asked = handlers.get(job.plan);
  if (!asked) {
    const nodes = [...job.plan.nodes.values()];
    const known = new Set(
      nodes.flatMap(({ handler, foreach }) => (foreach ? [handler, foreach.item.handler] : [handler])),
    );
    handlers.set(job.plan, (asked = known.size === 0 ? [null] : [...known]));
  }
  const { environment } = job;
  return asked.map((handler) => findOrCreateLane(level, { handler, environment }, concurrencyLimits.forJob(job)));
}

export const hasRoomInLane = (queuedJob: QueuedJob, lane: QueueLane): boolean =>
  queuedJob.lanesInDatabase === null || queuedJob.lanesInDatabase.has(lane);
