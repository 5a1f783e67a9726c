import type { Environment } from '../../../contract/vocabulary.ts';
import { parseStored } from '../../../lib/json.ts';
import type { ReadHandle } from '../../store/port.ts';
import { MAX_CHAIN } from '../engine/plan.ts';
import type { Memory } from '../engine/port.ts';
import type { TaskRecord } from '../engine/records.ts';
import { chainTaskId } from '../queue/dispatch.ts';
import type { Runners } from './port.ts';

const TASK = 'SELECT job.id AS jobId, worker_id, entries FROM task JOIN job ON job.seq = task.job WHERE task.id = ?';
/** The tasks of a job that were made last. */
const WORKERS_OF_JOB =
  'SELECT DISTINCT worker_id FROM (SELECT worker_id FROM task WHERE job = (SELECT seq FROM job WHERE id = ?) ORDER BY rowid DESC LIMIT 1000) WHERE worker_id IS NOT NULL';
const PLACE = 'SELECT workflow_id AS workflowId, environment FROM job WHERE id = ?';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface StoredTask {
  jobId: string;
  worker_id: string | null;
  entries: string;
}

interface StoredPlace {
  workflowId: string;
  environment: Environment | null;
}

/** Who runs or ran a task, from memory and by one row: it is asked of every task that logs, often when it has just ended. */
export function createRunners({ read, memory }: { read: ReadHandle; memory: Memory }): Runners {
  const stored = (taskId: string) => read.query<StoredTask>(TASK).get(taskId);

  function inMemory(taskId: string, jobId: string | null): TaskRecord | undefined {
    const leased = memory.leased.get(taskId) ?? chained(memory, taskId);
    if (leased || jobId === null) return leased;
    // A job that is written with its end alone.
    return memory.jobsById.get(jobId)?.unwritten?.find(({ id }) => id === taskId);
  }

  return {
    ofTask(taskId, jobId) {
      if (!UUID.test(taskId)) return null;
      const known = inMemory(taskId, jobId);
      const row = known?.facts.attempt === 1 ? undefined : stored(taskId);
      const id = known?.job.id ?? row?.jobId;
      if (id === undefined) return null;
      const now = known?.facts.workerId ?? null;
      return { jobId: id, workers: [...(now === null ? [] : [now]), ...(row ? workersOf(row) : [])] };
    },
    ofJob(jobId) {
      const job = memory.jobsById.get(jobId);
      const workers = new Set<string>();
      if (job && job.held > 0)
        for (const task of memory.leased.values())
          if (task.job === job && task.facts.workerId !== null) workers.add(task.facts.workerId);
      for (const { worker_id } of read.query<{ worker_id: string }>(WORKERS_OF_JOB).all(jobId)) workers.add(worker_id);
      return [...workers];
    },
    placeOf(jobId) {
      const job = memory.jobsById.get(jobId);
      if (job) return { workflowId: job.plan.workflowId, environment: job.environment };
      return UUID.test(jobId) ? (read.query<StoredPlace>(PLACE).get(jobId) ?? null) : null;
    },
  };
}

/** Those of earlier attempts too. */
function workersOf({ worker_id, entries }: StoredTask): string[] {
  const earlier = entries
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseStored<{ workerId: string | null }>(line).workerId);
  return [...earlier, worker_id].filter((id) => id !== null);
}

/** The leased task in whose chain this one comes: it is not made before those ahead of it have ended, and logs already. */
function chained({ leased }: Memory, taskId: string): TaskRecord | undefined {
  for (let steps = 1; steps <= MAX_CHAIN; steps++) {
    const first = leased.get(chainTaskId(taskId, -steps));
    if (first) return first.chain[steps - 1]?.id === taskId ? first : undefined;
  }
  return undefined;
}
