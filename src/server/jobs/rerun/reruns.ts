import { Fault } from '../../../lib/fault.ts';
import type { ReadHandle } from '../../store/port.ts';
import { TASKS_PER_TURN, needsExpansion } from '../lifecycle/task-expansion.ts';
import type { Plan } from '../engine/plan.ts';
import type { Jobs } from '../port.ts';
import type { JobRow } from '../engine/rows.ts';
import { submit } from '../lifecycle/submit.ts';
import { checkEarlierNodesFinished, inputText, inputsOf } from './inputs.ts';
import { JOB_SEQ } from './sql.ts';
import type { Memory, Engine } from '../engine/port.ts';

export interface RerunDeps {
  readonly engine: Engine;
  readonly read: ReadHandle;
  readonly memory: Memory;
  plan(workflowId: string, commit: string): Plan;
  /** The job's row, once it says what memory does. Throws JOB_NOT_FOUND. */
  job(jobId: string): Promise<JobRow>;
  resumeExpansion(): void;
}

/** Running again: a task, or a job whole or from one of its nodes. */
export function createReruns({
  engine,
  read,
  memory,
  plan,
  job,
  resumeExpansion,
}: RerunDeps): Pick<Jobs, 'inputs' | 'inputText' | 'rerun'> {
  /** Before all its inputs are tasks, they cannot be read from these. */
  async function whole(jobId: string): Promise<JobRow> {
    const row = await job(jobId);
    if (memory.pendingInputs.has(row.seq))
      throw new Fault('OVERLOADED', `the tasks of job ${jobId} are still being created; try again in a moment`, {
        extra: { retryAfterSeconds: 2 },
      });
    return row;
  }

  return {
    async inputs(jobId, node) {
      const row = await whole(jobId);
      return inputsOf(read, row, plan(row.workflow_id, row.commit_hash), node);
    },
    async inputText(jobId, which) {
      const row = await job(jobId);
      return inputText(read, row, plan(row.workflow_id, row.commit_hash), which);
    },
    async rerun(submission) {
      const { runnable, inputs, lineage } = submission;
      const ready = plan(runnable.workflowId, runnable.commit);
      if (lineage.rerunNode !== null)
        await checkEarlierNodesFinished(read, await whole(lineage.rerunOf ?? ''), ready, lineage.rerunNode);
      const { jobId } = await engine.enqueue(TASKS_PER_TURN, (tx) => {
        if (lineage.rerunNode !== null && !tx.db.query(JOB_SEQ).get(lineage.rerunOf ?? ''))
          throw new Fault('JOB_NOT_FOUND', 'retention has just deleted this job, so it cannot be rerun from a node');
        return submit(tx, submission, ready);
      });
      if (needsExpansion(ready, inputs, lineage.rerunNode)) resumeExpansion();
      return { jobId };
    },
  };
}
