import { parseStored } from '../../lib/json.ts';
import type { Environment, WorkerState } from '../../contract/vocabulary.ts';
import type { Worker, WorkerEnd } from '../../contract/workers.ts';
import { iso, isoOrNull } from '../../lib/clock.ts';
import { slotsInUse, type TaskOutcome } from '../state-machines/worker.ts';
import type { WriteHandle } from '../store/port.ts';
import type { Hello, Link } from './link.ts';

/** A worker as the registry keeps it. Times are milliseconds. */
export interface WorkerEntry {
  readonly id: string;
  readonly createdAt: number;
  /** The token that its ID belongs to; null: it joined before that was kept. */
  tokenId: string | null;
  url: string;
  version: string;
  capacity: number;
  /** Its own, and over them those of its token. */
  labels: Record<string, string>;
  /** Those that its token serves; null: all. */
  environments: ReadonlySet<Environment> | null;
  handlers: readonly string[];
  handlersOnly: boolean;
  /** It takes leases of short tasks beyond its capacity. */
  takesAhead: boolean;
  drained: boolean;
  registeredAt: number;
  lastHeartbeatAt: number | null;
  /** What its silence is measured from, by the clock that nobody sets: its last frame, or the start of this master, which it may not have noticed yet. */
  heardAt: number;
  /** It said goodbye, or was found Down: it stays so until its next hello. */
  goodbye: boolean;
  /** It is Down because it fell silent. */
  lost: boolean;
  /** Its process is known to have ended, and how: it is Down if its socket closes until then. */
  ending: { readonly until: number; readonly end: WorkerEnd } | null;
  /** What it holds was compared with what it should hold. */
  admitted: boolean;
  /** It said that it will end once its tasks have: until its next hello. */
  leaving: boolean;
  /** When it became Down. */
  downAt: number;
  /** How it ended; null: it has not. */
  ended: WorkerEnd | null;
  outcomes: readonly TaskOutcome[];
  load: number;
  longLoad: number;
  longComputing: number;
  cpu: number | null;
  memory: number | null;
  link: Link | null;
  /** As computed last. */
  state: WorkerState;
  /** Where it may be given tasks; kept up to date with all above. */
  accepting: boolean;
}

export interface WorkerRow {
  id: string;
  url: string;
  version: string;
  capacity: number;
  labels: string;
  handlers: string;
  drained: number;
  goodbye: number;
  created_at: number;
  registered_at: number;
  last_heartbeat_at: number | null;
  token_id: string | null;
  /** JSON array. */
  environments: string | null;
  /** JSON of a `WorkerEnd`. */
  ended: string | null;
}

export function workerEntryFromRow(row: WorkerRow, elapsed: number): WorkerEntry {
  return {
    id: row.id,
    createdAt: row.created_at,
    tokenId: row.token_id,
    url: row.url,
    version: row.version,
    capacity: row.capacity,
    labels: parseStored<Record<string, string>>(row.labels),
    environments: row.environments === null ? null : new Set(parseStored<Environment[]>(row.environments)),
    handlers: parseStored<string[]>(row.handlers),
    handlersOnly: false,
    takesAhead: false,
    drained: row.drained === 1,
    registeredAt: row.registered_at,
    lastHeartbeatAt: row.last_heartbeat_at,
    heardAt: elapsed,
    goodbye: row.goodbye === 1,
    lost: false,
    ending: null,
    admitted: false,
    leaving: false,
    downAt: row.last_heartbeat_at ?? row.registered_at,
    ended: row.ended === null ? null : parseStored<WorkerEnd>(row.ended),
    outcomes: [],
    load: 0,
    longLoad: 0,
    longComputing: 0,
    cpu: null,
    memory: null,
    link: null,
    state: row.goodbye === 1 ? 'Down' : 'Operational',
    accepting: false,
  };
}

/** A worker that nobody has heard of before. */
export function newWorkerEntry(id: string, hello: Hello, now: number): WorkerEntry {
  const row = {
    id,
    drained: 0,
    goodbye: 0,
    created_at: now,
    registered_at: now,
    last_heartbeat_at: null,
    token_id: null,
    environments: null,
    ended: null,
    labels: '{}',
    handlers: '[]',
  };
  return workerEntryFromRow({ ...row, url: hello.url, version: hello.version, capacity: hello.capacity }, now);
}

export const saveEntry = (entry: WorkerEntry) => {
  const { id, url, version, capacity, labels, handlers, drained, goodbye } = entry;
  const { createdAt, registeredAt, lastHeartbeatAt, tokenId, environments, ended } = entry;
  const values = [
    id,
    url,
    version,
    capacity,
    JSON.stringify(labels),
    JSON.stringify(handlers),
    Number(drained),
    Number(goodbye),
    createdAt,
    registeredAt,
    lastHeartbeatAt,
    tokenId,
    environments === null ? null : JSON.stringify([...environments]),
    ended === null ? null : JSON.stringify(ended),
  ];
  return (db: WriteHandle): void => {
    db.statement(
      'INSERT OR REPLACE INTO worker (id, url, version, capacity, labels, handlers, drained, goodbye, created_at, registered_at, last_heartbeat_at, token_id, environments, ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(...values);
  };
};

/** `replacedBy`: the worker that took the place of one that is Down. */
export function workerView(entry: WorkerEntry, replacedBy: string | null = null): Worker {
  return {
    id: entry.id,
    url: entry.url,
    state: entry.state,
    drained: entry.drained,
    currentTasks: slotsInUse(entry),
    maxTasks: entry.capacity,
    lastHeartbeatAt: isoOrNull(entry.lastHeartbeatAt),
    registeredAt: iso(entry.registeredAt),
    createdAt: iso(entry.createdAt),
    version: entry.version,
    labels: entry.labels,
    environments: entry.environments === null ? null : [...entry.environments],
    handlers: [...entry.handlers],
    // What a worker last told is not true of one that is gone.
    cpuUsage: entry.state === 'Down' ? null : entry.cpu,
    memoryUsage: entry.state === 'Down' ? null : entry.memory,
    ended: entry.state === 'Down' ? entry.ended : null,
    replacedBy,
  };
}
