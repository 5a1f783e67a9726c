import type { Crew, CrewEvents } from './crew.ts';
import { createJobs, type JobsDeps } from './jobs.ts';
import type { Jobs } from './port.ts';

/**
 * Opens the jobs room over the workers room (`createWorkers`): each is handed what it needs of the other, so neither
 * imports the other's code. No worker may be let in before this resolves.
 */
export async function joinJobsAndWorkers(room: { readonly crew: Crew; attach(events: CrewEvents): void }, deps: Omit<JobsDeps, 'crew'>): Promise<Jobs> {
  const { jobs, events } = await createJobs({ ...deps, crew: room.crew });
  room.attach(events);
  return jobs;
}
