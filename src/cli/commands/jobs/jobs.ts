import type { Command } from 'commander';
import type { Job } from '../../../contract/jobs.ts';
import type { TaskPage } from '../../../contract/tasks.ts';
import { apiCommand, paging, type PageFlags } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { filterOf, filterOptions, type FilterFlags } from './filter.ts';
import { bulkCommands } from './bulk.ts';
import { bundleCommand } from './bundle.ts';
import { compareCommand } from './compare.ts';
import { exportCommand } from './export.ts';
import { inputCommand } from './input.ts';
import { rerunCommands } from './rerun.ts';
import { signalCommands } from './signal.ts';
import { taskLines, tasksCommand } from './tasks.ts';
import { whyCommand } from './why.ts';
import { option } from '../../options.ts';
import { namedValues, duration, pageLine, table } from '../../text-table.ts';

interface ListFlags extends PageFlags, FilterFlags {
  sort?: string;
}

/** `yardmaster jobs …`. */
export function jobsCommands(root: Command, io: ProcessIo): void {
  const group = root.command('jobs').description('jobs and their tasks');

  const find = apiCommand(
    group,
    io,
    'list',
    'list jobs, newest first',
    async (session, { page, size, sort, ...flags }: ListFlags) => {
      const query = { page, size, sort, ...filterOf(flags) };
      const found = await session.api.call('jobs.list', { query });
      session.show(found, () => [
        ...table(
          ['id', 'status', 'workflow', 'environment', 'tasks', 'created', 'took', 'external id'],
          found.items.map(jobRow),
          'no jobs',
        ),
        ...pageLine(found),
      ]);
    },
  );
  paging(find, io);
  filterOptions(find, io);
  option(find, io, '--sort <field,order>', 'sort order such as createdAt,asc or durationMs,desc');

  apiCommand(group, io, 'show <job>', 'show a job with its tasks and failures', async (session, _flags, id) => {
    const job = await session.api.call('jobs.get', { params: { jobId: id } });
    if (session.json) return session.show(job, () => []);
    const tasks = await session.api.call('tasks.list', { params: { jobId: id }, query: { size: 100 } });
    session.show(job, () => [...jobLines(job), '', ...taskLines(tasks.items), ...restLine(tasks)]);
  });

  tasksCommand(group, io);
  inputCommand(group, io);
  bulkCommands(group, io);
  exportCommand(group, io);
  rerunCommands(group, io);
  whyCommand(group, io);
  compareCommand(group, io);
  bundleCommand(group, io);
  signalCommands(group, io);
}

function countersText(c: Job['taskCounters']): string {
  const named: [string, number][] = [
    ['ready', c.readyTasks],
    ['scheduled', c.scheduledTasks],
    ['running', c.runningTasks],
    ['completed', c.completedTasks],
    ['failed', c.failedTasks],
    ['schedule timeout', c.scheduleTimeout],
    ['run timeout', c.runTimeoutTasks],
  ];
  return (
    named
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || 'none'
  );
}

function jobRow(job: Job) {
  return [
    job.id,
    job.status,
    job.workflowId,
    job.environment,
    countersText(job.taskCounters),
    job.createdAt,
    duration(job.durationMs),
    job.externalId,
  ];
}

function jobLines(job: Job): string[] {
  return namedValues({
    job: job.id,
    status: job.status,
    workflow: job.workflowId,
    environment: job.environment,
    version: job.commit,
    tasks: countersText(job.taskCounters),
    inputs: job.inputCount,
    trigger: [job.trigger.kind, job.trigger.id, job.trigger.dueAt && `due ${job.trigger.dueAt}`]
      .filter((one) => one !== undefined)
      .join(' '),
    created: job.createdAt,
    finished: job.finishedAt,
    took: duration(job.durationMs),
    ...(job.priority === 0 ? {} : { priority: job.priority }),
    ...(job.retriedAt === null ? {} : { retried: job.retriedAt }),
    ...(job.killedAt === null ? {} : { killed: job.killedAt }),
    ...(job.externalId === null ? {} : { 'external id': job.externalId }),
    ...(job.traceId === undefined ? {} : { trace: job.traceId }),
  });
}

const restLine = ({ items, totalItems }: TaskPage): string[] =>
  totalItems > items.length ? [`${items.length} of ${totalItems} tasks; jobs tasks lists all`] : [];
