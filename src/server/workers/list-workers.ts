import { paginate } from '../../lib/page.ts';
import type { Page } from '../../contract/shapes.ts';
import type { WorkerState } from '../../contract/vocabulary.ts';
import type { Worker } from '../../contract/workers.ts';
import { workerView, type WorkerEntry } from './worker-entry.ts';

const VALUE: Readonly<Record<string, (entry: WorkerEntry) => string | number>> = {
  id: (entry) => entry.id,
  state: (entry) => entry.state,
  currentTasks: (entry) => entry.load,
  maxTasks: (entry) => entry.capacity,
  lastHeartbeatAt: (entry) => entry.lastHeartbeatAt ?? 0,
  registeredAt: (entry) => entry.registeredAt,
  createdAt: (entry) => entry.createdAt,
};

/** One page of the workers; equal ones follow their ids. */
export function listWorkers(
  all: Iterable<WorkerEntry>,
  { page, size, sort, state }: { page: number; size: number; sort: string; state?: WorkerState[] },
): Page<Worker> {
  const [field = 'createdAt', direction = 'asc'] = sort.split(',');
  const value = VALUE[field] ?? ((entry: WorkerEntry) => entry.createdAt);
  const way = direction === 'desc' ? -1 : 1;
  const wanted = [...all].filter((entry) => !state || state.length === 0 || state.includes(entry.state));
  wanted.sort((a, b) => way * (compare(value(a), value(b)) || compare(a.id, b.id)));
  return paginate(wanted, { page, size }, workerView);
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
