/** Statements of the retention of jobs. Each must walk an index: a test holds them to it. */

/** Finished jobs, those that finished first first. Their tasks are counted by their own counters. */
export const OLDEST_FINISHED = `
  SELECT seq, id, finished_at, created_at, parent_job_id,
    ready + scheduled + running + completed + failed + schedule_timeout + run_timeout AS tasks
  FROM job INDEXED BY job_by_finished WHERE finished_at IS NOT NULL AND finished_at <= ? AND (finished_at, seq) > (?, ?) ORDER BY finished_at, seq LIMIT ?`;
/** Draft runs of one workflow that ended until then. */
export const OLD_DRAFTS = `
  SELECT seq, id, finished_at, created_at, parent_job_id, commit_hash,
    ready + scheduled + running + completed + failed + schedule_timeout + run_timeout AS tasks
  FROM job INDEXED BY job_by_workflow WHERE workflow_id = ? AND finished_at <= ? ORDER BY seq LIMIT ?`;
/** A definition that was run without being saved, once no job of it is left. */
export const DELETE_DRAFT =
  'DELETE FROM definition WHERE blob = ? AND NOT EXISTS (SELECT 1 FROM job INDEXED BY job_by_workflow WHERE workflow_id = ? AND commit_hash = ?)';
/** The parent of a child job while it needs its child. */
export const OPEN_PARENT = 'SELECT 1 FROM job WHERE id = ? AND finished_at IS NULL';
/** Numbers of jobs are given by the highest one there is, so that one always stays. */
export const NEWEST_JOB = 'SELECT max(seq) AS seq FROM job';

const IN_LIST = 'IN (SELECT value FROM json_each(?))';
export const STILL_FINISHED = `SELECT seq, id, finished_at, created_at, workflow_id, environment, status FROM job WHERE seq ${IN_LIST} AND finished_at IS NOT NULL`;
/** A rerun that still takes over from a job: not all of its replicas are begun. */
export const PENDING_RERUN_OF_JOB = 'SELECT 1 FROM job j JOIN unborn u ON u.job = j.seq WHERE j.rerun_of = ? LIMIT 1';
export const SOURCE_OF_RERUN = 'SELECT rerun_of AS id FROM job WHERE seq = ?';
export const DELETE_JOBS = `DELETE FROM job WHERE seq ${IN_LIST}`;
export const DELETE_IDEMPOTENCY = 'DELETE FROM idempotency WHERE created_at = ? AND job_id = ?';
export const INSERT_REMOVED_JOB = 'INSERT INTO removed_job (seq) VALUES (?)';
export const NEXT_REMOVED_JOB = 'SELECT seq FROM removed_job LIMIT 1';
export const DELETE_REMOVED_JOB = 'DELETE FROM removed_job WHERE seq = ?';
export const DELETE_EMPTY_BLOCKS = 'DELETE FROM job_block WHERE block <= ? AND jobs <= 0';

/** Every table with rows of jobs, and the columns that name the job by its `seq`. The job's own row goes first. */
export const JOB_TABLES: readonly { readonly table: string; readonly column: string; readonly key: string }[] = [
  { table: 'task', column: 'job', key: 'rowid' },
  { table: 'payload', column: 'job', key: 'rowid' },
  { table: 'replica', column: 'job', key: 'job, replica' },
  { table: 'fan_out', column: 'job', key: 'job, replica, node' },
  { table: 'fan_out_list', column: 'job', key: 'job, replica, node, first' },
  { table: 'fan_out_part', column: 'job', key: 'job, replica, node, part' },
  { table: 'unborn', column: 'job', key: 'rowid' },
  { table: 'child', column: 'parent', key: 'rowid' },
  { table: 'child', column: 'job', key: 'rowid' },
  { table: 'wait', column: 'job', key: 'rowid' },
  { table: 'signal', column: 'job', key: 'job, number' },
  { table: 'failure_job', column: 'job', key: 'group_id, job' },
];
/** Rows of some jobs, all at once. */
export const deleteRows = ({ table, column }: (typeof JOB_TABLES)[number]): string =>
  `DELETE FROM ${table} WHERE ${column} ${IN_LIST}`;
/** Some rows of one job. */
export const deleteSomeRows = ({ table, column, key }: (typeof JOB_TABLES)[number]): string =>
  `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${column} = ? LIMIT ?)`;

export const ARCHIVE_FILE_BYTES = 'SELECT bytes FROM archive_file WHERE name = ?';
export const ARCHIVE_FILES = 'SELECT name, bytes FROM archive_file';
export const PUT_ARCHIVE_FILE =
  'INSERT INTO archive_file (name, bytes, jobs) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes, jobs = jobs + excluded.jobs';
