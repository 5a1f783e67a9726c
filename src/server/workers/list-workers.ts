import { paginate } from '../../lib/page.ts';
import type { Page } from '../../contract/shapes.ts';
import type { WorkerState } from '../../contract/vocabulary.ts';
import type { Worker } from '../../contract/workers.ts';
import { slotsInUse } from '../state-machines/worker.ts';
import { workerView, type WorkerEntry } from './worker-entry.ts';

const VALUE: Readonly<Record<string, (entry: WorkerEntry) => string | number>> = {
  id: (entry) => entry.id,
  state: (entry) => entry.state,
  currentTasks: slotsInUse,
  maxTasks: (entry) => entry.capacity,
  lastHeartbeatAt: (entry) => entry.lastHeartbeatAt ?? 0,
  registeredAt: (entry) => entry.registeredAt,
  createdAt: (entry) => entry.createdAt,
};

export interface WorkerQuery {
  readonly page: number;
  readonly size: number;
  readonly sort: string;
  readonly state?: WorkerState[];
  /** Words, each of which is somewhere in what tells a worker apart. */
  readonly q?: string;
  /** False: without those that stopped in order or were replaced. */
  readonly past?: boolean;
}

/** By the number of a local worker, or by its URL: where a worker is, another one stands in its place. */
const placeOf = ({ labels, url }: WorkerEntry): string | null =>
  labels['local'] === undefined ? (url === '' ? null : `url ${url}`) : `local ${labels['local']}`;

/** Which worker took the place of one that is Down; null: none did, or it is not Down. */
export function findReplacements(all: Iterable<WorkerEntry>): (entry: WorkerEntry) => string | null {
  const alive = new Map<string, string>();
  for (const entry of all) {
    const place = placeOf(entry);
    if (place !== null && entry.state !== 'Down') alive.set(place, entry.id);
  }
  return (entry) => (entry.state === 'Down' ? (alive.get(placeOf(entry) ?? '') ?? null) : null);
}

/** Which workers stopped in order or were replaced: nobody has to look for them. */
export function findPast(all: Iterable<WorkerEntry>): (entry: WorkerEntry) => boolean {
  const replacedBy = findReplacements(all);
  return (entry) => entry.state === 'Down' && (entry.ended?.reason === 'stopped' || replacedBy(entry) !== null);
}

/** Whether each of these words is in what tells a worker apart, upper and lower case alike. */
function findsWords(q: string | undefined): (entry: WorkerEntry) => boolean {
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return ({ id, url, version, labels, handlers }) => {
    const named = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
    const parts = [id, url, version, ...named, ...handlers].map((part) => part.toLowerCase());
    return words.every((word) => parts.some((part) => part.includes(word)));
  };
}

/** One page of the workers; equal ones follow their ids. */
export function listWorkers(
  all: Iterable<WorkerEntry>,
  { page, size, sort, state, q, past }: WorkerQuery,
): Page<Worker> {
  const [field = 'createdAt', direction = 'asc'] = sort.split(',');
  const value = VALUE[field] ?? ((entry: WorkerEntry) => entry.createdAt);
  const way = direction === 'desc' ? -1 : 1;
  const entries = [...all];
  const replacedBy = findReplacements(entries);
  const isPast = findPast(entries);
  const found = findsWords(q);
  const wanted = entries.filter(
    (entry) =>
      (!state || state.length === 0 || state.includes(entry.state)) &&
      (past !== false || !isPast(entry)) &&
      found(entry),
  );
  wanted.sort((a, b) => way * (compare(value(a), value(b)) || compare(a.id, b.id)));
  return paginate(wanted, { page, size }, (entry) => workerView(entry, replacedBy(entry)));
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
