import { measureOwnTasks } from './lib/own-tasks.ts';
import { opening, summary } from './lib/report.ts';

/**
 * Tasks by the thousand, with durability `full` and one worker process: how fast they are taken in (jobs of 1,000
 * inputs), drained, taken in and drained together, and how soon an idle worker starts one.
 */
const quick = process.argv.includes('--quick');

opening('tasks', quick, ['better-sqlite3', 'ws']);
const { drain, together, pickUpP99 } = await measureOwnTasks(
  quick ? { jobs: 2, inputs: 200, picks: 20 } : { jobs: 20, inputs: 1000, picks: 300 },
);
process.exitCode = summary([
  { name: 'tasks drained a second', value: drain, target: 8100, wanted: 'at least' },
  { name: 'tasks submitted and drained together a second', value: together, target: 5600, wanted: 'at least' },
  { name: 'pick-up when idle p99, ms', value: pickUpP99, target: 4, wanted: 'at most' },
]);
