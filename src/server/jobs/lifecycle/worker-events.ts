import { jsonTextOf, JsonSource } from '../../../lib/packed-inputs.ts';
import type { Secrets } from '../../secrets/port.ts';
import { applyTaskEvent } from '../engine/apply-task-event.ts';
import type { Engine, Memory, Transaction } from '../engine/port.ts';
import type { TaskRecord } from '../engine/records.ts';
import { createRetryUntilStored } from '../engine/retry-until-stored.ts';
import type { WorkerPool, WorkerPoolEvents } from '../queue/port.ts';
import { completeTask } from './complete-task.ts';
import { failTask } from './retry.ts';
import {
  LEASES_REVOKED_PER_TURN,
  revokeDeniedLeases,
  revokeUnheldLeases,
  revokeWorkerLeases,
  reclaimLeases,
  reconcileLeases,
  tellStale,
  STALE_PER_TURN,
  type LeaseClaim,
  type UnheldLease,
} from './worker-leases.ts';
import type { TaskReport } from '../../state-machines/report.ts';
import { CREATED_AT_ONCE, takeMapItems } from '../foreach/map-items.ts';
import { beginWait } from '../waits/begin-wait.ts';

/** What workers tell the engine. Nobody tells it again, so it is tried until the store takes it. */
export function createWorkerEvents({
  engine,
  memory,
  workerPool,
  secrets,
}: {
  engine: Engine;
  memory: Memory;
  workerPool: WorkerPool;
  secrets: Pick<Secrets, 'redactor'> | undefined;
}): { events: WorkerPoolEvents; close(): void } {
  const untilStored = createRetryUntilStored({ enqueue: engine.enqueue });

  /** Slice by slice; should the worker come back meanwhile, `joined` decides about the rest. */
  async function loseAll(workerId: string): Promise<void> {
    let more: boolean;
    do {
      // Only a turn that was taken says that there is more: one that failed, or comes after the end, would come again for ever.
      more = false;
      await untilStored.run(LEASES_REVOKED_PER_TURN, (tx) => (more = revokeWorkerLeases(tx, workerId)));
    } while (more && workerPool.worker(workerId)?.state === 'Down');
  }

  const events: WorkerPoolEvents = {
    report(workerId, all) {
      for (const { weight, reports } of splitReports(memory, redactReports(all, secrets)))
        void untilStored.run(
          weight,
          (tx) => takeReports(tx, workerId, reports),
          reports.length > 1 ? reports.map((report) => (tx) => takeReports(tx, workerId, [report])) : [],
        );
    },
    async joined(workerId, running) {
      // All of these before any report that comes after the hello: turns take what they are given in its order.
      for (let from = 0; from < running.length; from += LEASES_REVOKED_PER_TURN)
        void untilStored.run(LEASES_REVOKED_PER_TURN, (tx) =>
          reclaimLeases(tx, workerId, running.slice(from, from + LEASES_REVOKED_PER_TURN)),
        );
      let gone: readonly UnheldLease[] = [];
      let stale: readonly LeaseClaim[] = [];
      await untilStored.run(1, (tx) => ({ gone, stale } = reconcileLeases(tx, workerId, running)));
      // Before it is given leases, as it may be given one of these again.
      for (let from = 0; from < stale.length; from += STALE_PER_TURN)
        await untilStored.run(LEASES_REVOKED_PER_TURN, (tx) =>
          tellStale(tx, workerId, stale.slice(from, from + STALE_PER_TURN)),
        );
      for (let from = 0; from < gone.length; from += LEASES_REVOKED_PER_TURN)
        await untilStored.run(LEASES_REVOKED_PER_TURN, (tx) =>
          revokeUnheldLeases(tx, workerId, gone.slice(from, from + LEASES_REVOKED_PER_TURN)),
        );
    },
    gone(workerId, leases) {
      for (let from = 0; from < leases.length; from += LEASES_REVOKED_PER_TURN)
        void untilStored.run(LEASES_REVOKED_PER_TURN, (tx) =>
          revokeDeniedLeases(tx, workerId, leases.slice(from, from + LEASES_REVOKED_PER_TURN)),
        );
    },
    settled: untilStored.settled,
    down: (workerId) => void loseAll(workerId),
    room: () => memory.totals.ready > 0 && engine.nudge(),
  };
  return { events, close: untilStored.close };
}

/** Messages of failures are kept and shown; a worker of another make may not have taken the values of secrets out of them. */
export function redactReports(
  reports: readonly TaskReport[],
  secrets: Pick<Secrets, 'redactor'> | undefined,
): readonly TaskReport[] {
  if (!secrets || !reports.some(({ e }) => e === 'fail')) return reports;
  return reports.map((report) =>
    report.e === 'fail'
      ? {
          ...report,
          error: {
            ...report.error,
            code: secrets.redactor.text(report.error.code),
            message: secrets.redactor.text(report.error.message),
          },
        }
      : report,
  );
}

/** Nodes of a graph whose being looked at costs as much as a task. */
const NODES_PER_TASK = 16;

/** Items of a list whose being kept for later costs as much as a task. */
const ITEMS_PER_TASK = 8;

/** Characters of an output whose being stored costs as much as a task. */
const CHARACTERS_PER_TASK = 32 * 1024;

/** The most that one piece weighs, unless a single report weighs more. */
const MAX_WEIGHT = 128;

/** The same where all ends are cheap: a worker that comes back may tell of thousands. */
const MAX_CHEAP = 512;

export interface ReportChunk {
  readonly weight: number;
  readonly reports: readonly TaskReport[];
}

/**
 * The reports of one frame in pieces that a turn can take each. Most ends cost the same; that of a task before a join or
 * behind a condition looks at all of its replica, and costs as much as the graph is large; a part of a list costs its items, and a
 * whole short list the tasks that are made of it at once.
 */
export function splitReports(
  { leased }: Pick<Memory, 'leased'>,
  reports: readonly TaskReport[],
): readonly ReportChunk[] {
  let sum = 0;
  let heaviest = 1;
  const weights = reports.map((report) => {
    const task = report.e === 'done' ? leased.get(report.id) : undefined;
    const weight =
      report.e === 'items'
        ? 1 + weightOf(report)
        : task === undefined || task.node.simple !== null
          ? 1 + weightOfOutput(report)
          : 1 + weightOfOutput(report) + Math.ceil(task.job.plan.nodes.size / NODES_PER_TASK);
    heaviest = Math.max(heaviest, weight);
    sum += weight;
    return weight;
  });
  const most = heaviest === 1 ? MAX_CHEAP : MAX_WEIGHT;
  if (sum <= most) return [{ weight: sum, reports }];
  const pieces: { weight: number; reports: TaskReport[] }[] = [];
  reports.forEach((report, i) => {
    const weight = weights[i] ?? 1;
    const last = pieces.at(-1);
    if (last && last.weight + weight <= most) {
      last.weight += weight;
      last.reports.push(report);
    } else pieces.push({ weight, reports: [report] });
  });
  return pieces;
}

/** Only what the thread made a text of may be long. */
const weightOfOutput = (report: TaskReport): number =>
  report.e === 'done' && report.output instanceof JsonSource
    ? Math.floor(report.output.text.length / CHARACTERS_PER_TASK)
    : 0;

const weightOf = ({ first, items, more }: Extract<TaskReport, { e: 'items' }>): number =>
  first === 0 && !more && items.length <= CREATED_AT_ONCE ? items.length : Math.ceil(items.length / ITEMS_PER_TASK);

/** Takes a frame of reports in: each under its lease (task id, attempt); stale ones change nothing and are answered `lost`. */
export function takeReports(tx: Transaction, workerId: string, reports: readonly TaskReport[]): void {
  let toCome: ReadonlySet<string> | null = null;
  for (const report of reports) {
    const task = tx.memory.leased.get(report.id);
    if (task?.facts.workerId === workerId && task.facts.attempt === report.attempt) takeReport(tx, task, report);
    else {
      toCome ??= chainedTaskIds(tx.memory, workerId);
      // Told that this is lost, the worker would drop it from the chain that it runs now.
      if (!toCome.has(report.id)) tx.effects.lostLeases.push({ workerId, id: report.id, attempt: report.attempt });
    }
  }
}

/** Tasks that come into being at a worker, once those before them in their chains have ended. An earlier try at the chain may have come to them already, under the same names. */
const chainedTaskIds = ({ leased }: Memory, workerId: string): ReadonlySet<string> =>
  new Set(
    [...leased.values()].flatMap(({ facts, chain }) => (facts.workerId === workerId ? chain.map(({ id }) => id) : [])),
  );

function takeReport(tx: Transaction, task: TaskRecord, report: TaskReport): void {
  // The worker's clock is not ours: times are brought between the assignment and now, to whole milliseconds.
  const within = (at: number): number =>
    Math.min(
      Math.max(Math.floor(at), task.facts.startedAt ?? task.facts.scheduledAt ?? 0),
      Math.max(tx.now, task.facts.scheduledAt ?? 0),
    );
  if (report.e === 'start') {
    applyTaskEvent(tx, task, { on: 'start', at: within(report.at) });
    return;
  }
  if (report.startedAt !== null && task.facts.state === 'SCHEDULED')
    applyTaskEvent(tx, task, { on: 'start', at: within(report.startedAt) });
  // By the worker's own clock alone: the other end of `within` is ours. A clock that was set meanwhile makes any number of it.
  if (task.node.computes && report.startedAt !== null)
    tx.memory.runTimes.record(task.node, Math.min(Math.max(0, report.at - report.startedAt), task.node.runTimeoutMs));
  if (report.e === 'fail') {
    failTask(tx, task, within(report.at), report.error);
    return;
  }
  if (report.e === 'items') {
    const failure = takeMapItems(tx, task, report);
    if (failure) failTask(tx, task, within(report.at), failure);
    return;
  }
  const { wait } = task.node;
  if (wait !== null) beginWait(tx, task, wait, report.output, within(report.at));
  else completeTask(tx, task, jsonTextOf(report.output), within(report.at), report.port ?? null);
}
