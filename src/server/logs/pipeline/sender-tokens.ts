import { workflowIdForDraft } from '../../../contract/draft-ids.ts';
import type { Access } from '../../access/port.ts';
import type { Answer, Question, SenderTokens } from './port.ts';

/** What is asked of those who know workers and tasks. */
export interface Runs {
  /** The token that a worker joined with; null: it is not known. */
  tokenOf(workerId: string): string | null;
  /** The job of a task, and the workers that run or ran it. */
  ofTask(taskId: string, jobId: string | null): { jobId: string; workers: readonly string[] } | null;
  ofJob(jobId: string): readonly string[];
  placeOf(jobId: string): { readonly workflowId: string } | null;
}

/** Who may write log lines over TCP: workers, operators and admins. `runs` comes once the rooms are open that know it. */
export const senderTokens = (
  access: Pick<Access, 'token' | 'tokenById' | 'onCredentialEnded' | 'attempts'>,
  runs: Promise<Runs>,
): SenderTokens => ({
  identify(secret, from) {
    const identity = access.token(secret);
    try {
      if (identity === null) access.attempts.wrong(from, secret);
    } catch {
      // Whoever brings a wrong token is hung up on, one time or a thousand.
    }
    // A person with grants in projects could name the jobs of any: programs send lines.
    return identity === null || identity.grants !== null || identity.role === 'viewer'
      ? null
      : { tokenId: identity.tokenId, role: identity.role };
  },
  isActive: (id) => access.tokenById(id) !== null,
  onEnded: access.onCredentialEnded,
  vouch: async (tokenId, question) => vouchFor(tokenId, question, await runs),
});

function vouchFor(tokenId: string, { tasks, jobs, workers }: Question, runs: Runs): Answer {
  /** Lines of draft runs are those of the workflow. */
  const workflowOf = (job: string): string | null => {
    const place = runs.placeOf(job);
    return place && workflowIdForDraft(place.workflowId);
  };
  const isOwn = (workerId: string) => runs.tokenOf(workerId) === tokenId;
  return {
    tasks: tasks.map(({ task, job }) => {
      const known = runs.ofTask(task, job);
      const worker = known?.workers.find(isOwn);
      return known && worker !== undefined ? { job: known.jobId, worker, workflow: workflowOf(known.jobId) } : null;
    }),
    jobs: jobs.map((job) => (runs.ofJob(job).some(isOwn) ? { workflow: workflowOf(job) } : null)),
    workers: workers.map(isOwn),
  };
}
