/** Measurements that the master makes itself, of what it knows: alerts and charts believe them. Points of others that say to be of these are `claimed_…`. */
export const MASTER_MEASUREMENTS: ReadonlySet<string> = new Set([
  'task_metrics',
  'job_metrics',
  'worker_metrics',
  'system_metrics',
]);

/** What the store takes of a point of the master and its workers. */
export const MOST_TAGS = 64;
export const MOST_NAME_CHARACTERS = 256;
