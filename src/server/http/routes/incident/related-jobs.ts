import type { Job } from '../../../../contract/jobs.ts';
import { readOrDefault, type IncidentBundle } from './bundle.ts';

const PAGE = 100;
const UNSEEN = 'Related jobs that the person who created the bundle may not see';

/** The job, then those that called it, then those that it called, as many as the limit lets. */
export async function findRelatedJobs({
  services: { jobs, limits },
  request: { job, shows },
  leftOut,
  signal,
}: IncidentBundle): Promise<Job[]> {
  const family = new Map([[job.id, job]]);
  for (let at: Job | null = job; at?.parentTaskId && family.size < limits.incidentJobs;) {
    const taskId: string = at.parentTaskId;
    const task = await readOrDefault(() => jobs.task(taskId), null);
    at = task ? await readOrDefault(() => jobs.get(task.jobId), null) : null;
    if (at && !(await shows(at.id))) {
      leftOut.add(UNSEEN);
      break;
    }
    if (at) family.set(at.id, at);
    else leftOut.add('The parent job, which no longer exists');
  }
  // Those above are there for what they say of this one: what else they called is not.
  const below = [job];
  for (let at = below.shift(); at; at = below.shift()) {
    for (let page = 0; ; page++) {
      const found = await jobs.list({ page, size: PAGE, sort: 'createdAt,asc', parentJobId: at.id }, signal);
      for (const child of found.items) {
        if (family.size >= limits.incidentJobs) {
          leftOut.add(`Jobs beyond ${limits.incidentJobs}: some child jobs are missing`);
          return [...family.values()];
        }
        if (!(await shows(child.id))) {
          leftOut.add(UNSEEN);
          continue;
        }
        if (!family.has(child.id)) below.push(child);
        family.set(child.id, child);
      }
      if (page + 1 >= found.totalPages) break;
    }
  }
  return [...family.values()];
}
