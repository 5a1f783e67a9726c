import type { Command } from 'commander';
import { WORKER_STATES, type WorkerState } from '../../contract/vocabulary.ts';
import type { Worker } from '../../contract/workers.ts';
import { apiCommand, paging, type PageFlags } from '../api-command.ts';
import type { ProcessIo } from '../process-io.ts';
import { list, option } from '../options.ts';
import { pageLine, table } from '../text-table.ts';

/** `yardmaster workers …`. */
export function workersCommands(root: Command, io: ProcessIo): void {
  const group = root.command('workers').description('workers and their state');

  const find = apiCommand(
    group,
    io,
    'list',
    'list workers',
    async (session, { page, size, state, q }: PageFlags & { state?: WorkerState[]; q?: string }) => {
      const found = await session.api.call('workers.list', { query: { page, size, state, q } });
      session.show(found, () => [
        ...table(
          ['id', 'state', 'tasks', 'cpu', 'memory', 'last heartbeat', 'url', 'handlers', 'environments'],
          found.items.map(row),
          'no workers',
        ),
        ...pageLine(found),
      ]);
    },
  );
  option(paging(find, io), io, '--state <state>', `only these (${WORKER_STATES.join(', ')})`, { parse: list });
  option(find, io, '--q <words>', 'only with these words in the ID, URL, version, labels or handlers');

  apiCommand(
    group,
    io,
    'forget <worker>',
    'remove a worker that is down from the list',
    async (session, _flags, id) => {
      await session.api.call('workers.forget', { params: { id } });
      session.show(null, () => [`worker ${id} was removed from the list`]);
    },
  );

  for (const [verb, description, done] of [
    ['drain', 'drain a worker: it gets no new tasks', 'is draining'],
    ['resume', 'resume a draining worker', 'accepts tasks again'],
  ] as const) {
    apiCommand(group, io, `${verb} <worker>`, description, async (session, _flags, id) => {
      const worker = await session.api.call(`workers.${verb}`, { params: { id: id } });
      session.show(worker, () => [`worker ${worker.id} ${done}; it runs ${worker.currentTasks} of ${worker.maxTasks}`]);
    });
  }
}

function row(worker: Worker) {
  const { id, state, drained, currentTasks, maxTasks, cpuUsage, memoryUsage, lastHeartbeatAt } = worker;
  const { url, handlers, environments } = worker;
  return [
    id,
    worker.ended ? `${state} (${worker.ended.reason})` : drained ? `${state} (drained)` : state,
    `${currentTasks}/${maxTasks}`,
    cpuUsage === null ? null : `${Math.round(cpuUsage * 100)}%`,
    memoryUsage === null ? null : `${Math.round(memoryUsage / 1048576)} MiB`,
    lastHeartbeatAt,
    url,
    handlers.join(' '),
    environments?.join(' ') ?? 'all',
  ];
}
