import type { Limits } from '../../../contract/limits.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Store } from '../../store/port.ts';
import type { Runnable } from '../../workflows/port.ts';
import type { Plan } from '../engine/plan.ts';
import type { Engine, Memory } from '../engine/port.ts';
import type { JobRow } from '../engine/rows.ts';
import { ACCEPT_IDEMPOTENT, FIND_IDEMPOTENT, JOB_BY_ID } from '../engine/sql.ts';
import type { Waiters } from '../engine/waiters.ts';
import type { JobResult, Jobs } from '../port.ts';
import { jobResult } from './job-result.ts';
import { earlierCall, HOUR_MS, submit, type IdempotentRow } from './submit.ts';
import { needsExpansion, TASKS_PER_TURN } from './task-expansion.ts';

export interface SubmissionsDeps {
  readonly engine: Engine;
  readonly store: Store;
  readonly memory: Memory;
  readonly limits: Readonly<Limits>;
  readonly waiters: Waiters;
  plan(runnable: Runnable): Plan;
  /** Goes on with the tasks of large jobs. */
  resumeExpansion(): void;
  now(): number;
}

/** What a caller does with a job that it sends in: submits it, and waits for its end. */
export function createSubmissions({
  engine,
  store,
  memory,
  limits,
  waiters,
  plan,
  resumeExpansion,
  now,
}: SubmissionsDeps): Pick<Jobs, 'submit' | 'findIdempotent' | 'acceptIdempotent' | 'wait' | 'result'> {
  const { read } = store;
  const resultOf = (jobId: string): JobResult | null => {
    const row = read.query<JobRow>(JOB_BY_ID).get(jobId);
    return row ? jobResult(read, row, limits.jobOutputBytes) : null;
  };

  return {
    submit: (submission) => {
      const { inputs, runnable } = submission;
      const known = plan(runnable);
      const submitted = engine.enqueue(1 + Math.min(inputs.length * known.first.length, TASKS_PER_TURN), (tx) =>
        submit(tx, submission, known),
      );
      return needsExpansion(known, inputs) ? submitted.finally(resumeExpansion) : submitted;
    },
    findIdempotent({ keyId, workflowId, environment, key }) {
      const row = read
        .query<IdempotentRow>(FIND_IDEMPOTENT)
        .get(keyId, workflowId, environment, key, now() - limits.idempotencyHours * HOUR_MS);
      return row ? earlierCall(row) : null;
    },
    async acceptIdempotent({ keyId, workflowId, environment, key }, jobId, status) {
      await store.write((db) =>
        db.statement(ACCEPT_IDEMPOTENT).run(status, keyId, workflowId, environment, key, jobId),
      );
    },
    async wait(jobId, seconds, leaving) {
      const live = memory.jobsById.get(jobId);
      if (live && live.facts.finishedAt === null && !live.failure) {
        const ended = await waiters.wait(jobId, seconds, leaving);
        if (ended) return ended;
        await engine.written();
      }
      const known = resultOf(jobId);
      // What was read may have been committed a moment ago; nobody is told of what a power cut could take back.
      await store.durable();
      if (!known) throw new Fault('JOB_NOT_FOUND', `there is no job ${jobId}`);
      if (known.finishedAt !== null || known.failure || live) return known;
      return (await waiters.wait(jobId, seconds, leaving)) ?? resultOf(jobId) ?? known;
    },
    async result(jobId) {
      await engine.written();
      const known = resultOf(jobId);
      await store.durable();
      return known;
    },
  };
}
