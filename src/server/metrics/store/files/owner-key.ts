/**
 * Whose a point is. Tags that nearly every point has another value of (`job_id`, `task_id`) do not make a series of
 * their own in the store: they stand in the rows. Asked for, they are tags like all others.
 */
export const ROW_TAGS = ['job_id', 'task_id'] as const;
export type RowTag = (typeof ROW_TAGS)[number];
export const isRowTag = (name: string): name is RowTag => name === 'job_id' || name === 'task_id';

const BETWEEN = '\u0000';

/** '' where it has neither. A tag's value is never empty, and holds no U+0000. */
export const ownerKey = (job: string, task: string): string => (task === '' ? job : job + BETWEEN + task);

export function splitOwnerKey(who: string): { job: string; task: string } {
  const at = who.indexOf(BETWEEN);
  return at < 0 ? { job: who, task: '' } : { job: who.slice(0, at), task: who.slice(at + 1) };
}
