import type { LogComparison } from '../../../contract/comparisons.ts';
import type { Job } from '../../../contract/jobs.ts';
import { Fault, invalidAt } from '../../../lib/fault.ts';
import { valueText } from '../../../lib/logsql/quote.ts';
import type { PayloadOf } from '../../jobs/queries/port.ts';
import { disconnectSignal } from '../core/disconnect-signal.ts';
import { createRelations } from '../core/relations.ts';
import { textRoute, type App } from '../core/route.ts';

/** Lines of a job that are the same, counted; by their first one, so that a cut leaves the beginning. */
const SAME_LINES = '* | stats by (level, _msg) count() n, min(_time) first | sort by (first)';
const TIMEOUT_MS = 20_000;
/** Lines may be late, and clocks of workers may be off. */
const BEFORE_MS = 60_000;
const AFTER_MS = 3_600_000;

/** Two runs side by side. */
export function jobComparisonRoutes(app: App): void {
  const { clock, jobs, limits, logs } = app.services;

  const relations = createRelations(app.services, app.scope);
  textRoute(app, 'jobs.compare', async ({ params, identity, reply }) => {
    const found = await jobs.compare.tasks(params.jobId, params.otherId, disconnectSignal(reply));
    const [here, there] = [await relations.job(identity, found.here), await relations.job(identity, found.there)];
    return JSON.stringify({ ...found, here, there });
  });

  textRoute(app, 'jobs.compareValues', async ({ params: { jobId, otherId }, query, reply }) => {
    const { of, replica = 0, task, otherTask } = query;
    if ((task === undefined) !== (otherTask === undefined))
      throw invalidAt(
        task === undefined ? '/task' : '/otherTask',
        'task and otherTask must be set together: set both, or neither',
      );
    const side = async (job: string, ofTask: string | undefined): Promise<PayloadOf> => {
      if (ofTask === undefined) return of === 'input' ? { job, of, node: null, replica } : { job, of };
      if ((await jobs.task(ofTask)).jobId !== job)
        throw new Fault('TASK_NOT_FOUND', `task ${ofTask} not found in job ${job}`);
      return { task: ofTask, of };
    };
    const [after, before] = [await side(jobId, task), await side(otherId, otherTask)];
    return JSON.stringify(await jobs.compare.values(before, after, disconnectSignal(reply)));
  });

  /** What the log store counts as the same is read here, and what such lines have in common is found in the thread. */
  async function linesOf(job: Job, signal: AbortSignal): Promise<{ bytes: Uint8Array; whole: boolean }> {
    const pages: Uint8Array[] = [];
    let left = limits.compareLogBytes;
    const stop = new AbortController();
    const end = () => stop.abort();
    signal.addEventListener('abort', end, { once: true });
    try {
      const from = Date.parse(job.createdAt) - BEFORE_MS;
      const to = (job.finishedAt === null ? clock.now() : Date.parse(job.finishedAt)) + AFTER_MS;
      for await (const page of logs.run(
        {
          query: SAME_LINES,
          from,
          to,
          extraFilters: [`job_id:=${valueText(job.id)}`],
          limit: null,
          offset: 0,
          now: clock.now(),
          timeoutMs: TIMEOUT_MS,
        },
        stop.signal,
      )) {
        const whole = page.length <= left;
        // A line that was cut is none.
        pages.push(whole ? page : page.subarray(0, page.subarray(0, left).lastIndexOf(0x0a) + 1));
        left -= page.length;
        if (!whole) return { bytes: joined(pages), whole: false };
      }
      return { bytes: joined(pages), whole: true };
    } finally {
      stop.abort();
      signal.removeEventListener('abort', end);
    }
  }

  textRoute(app, 'jobs.compareLogs', async ({ params, reply }) => {
    const gone = disconnectSignal(reply);
    const [here, there] = [await jobs.get(params.jobId), await jobs.get(params.otherId)];
    const [ours, theirs] = [await linesOf(here, gone), await linesOf(there, gone)];
    return JSON.stringify({
      ...(await jobs.compare.logs(ours.bytes, theirs.bytes, gone)),
      complete: ours.whole && theirs.whole,
    } satisfies LogComparison);
  });
}

/** In a buffer of its own, to be handed to the thread. */
function joined(pages: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pages.reduce((sum, page) => sum + page.length, 0));
  let at = 0;
  for (const page of pages) {
    all.set(page, at);
    at += page.length;
  }
  return all;
}
