import { MIN_REDACTED_CHARACTERS } from '../../../contract/secret-names.ts';
import { createRedactor, type NamedSecret } from '../../../lib/redact.ts';
import type { RemoteTarget } from '../../../lib/remote-http.ts';
import { notifyParent, serveThread, threadData } from '../../offload/serve-thread.ts';
import type { LogFilter } from '../port.ts';
import type { LogBatch, LogRun } from '../store/port.ts';
import type { HitsQuery } from '../store/read/hits.ts';
import { createResultRedactor } from '../store/read/redactor.ts';
import type { SearchQuery } from '../store/read/search.ts';
import type { ValuesQuery } from '../store/read/values.ts';
import { createLogsClient } from './client.ts';
import { unreadable } from './faults.ts';
import { remoteHits } from './hits.ts';
import { createRemoteInsert } from './insert.ts';
import { createRemoteRuns } from './runs.ts';
import { remoteRecords, remoteSearch } from './search.ts';
import { createRemoteTails } from './tails.ts';
import { remoteValues } from './values.ts';
import { watchStore, type SeenState } from './watch.ts';

/** The thread in which a log store elsewhere is asked: its answers are read, cleaned and put into the API's shapes here. */
export interface RemoteThreadData {
  readonly select: RemoteTarget;
  readonly insert: RemoteTarget;
  /** Of a line that it takes. */
  readonly lineBytes: number;
}
export type RemoteEvent =
  | { kind: 'state'; state: SeenState; counts: RemoteCounts }
  | { kind: 'tail'; id: number; /** A JSON array of `count` records. */ records: string; count: number };

/** Since the start of the thread. */
export interface RemoteCounts {
  /** Requests that were answered, and that failed because of the store. */
  answered: number;
  failed: number;
  /** Lines that were there twice and are shown once. */
  duplicates: number;
}

/** A search that takes longer is given up. */
const SEARCH_MS = 30_000;

const { select, insert, lineBytes } = threadData<RemoteThreadData>();
const counts: RemoteCounts = { answered: 0, failed: 0, duplicates: 0 };
const removed = () => void counts.duplicates++;
const cleaner = createResultRedactor();
let secrets: readonly NamedSecret[] = [];
let redactor = createRedactor([], MIN_REDACTED_CHARACTERS);

const watch = watchStore(
  (signal) => client.probe(signal),
  (state) => notifyParent<RemoteEvent>({ kind: 'state', state, counts: { ...counts } }),
);
const client = createLogsClient(select, {
  answered() {
    counts.answered++;
    watch.answered();
  },
  failed(fault) {
    counts.failed++;
    watch.failed(fault.message);
  },
});
const inserting = createRemoteInsert(insert, lineBytes);
const runs = createRemoteRuns(client, () => (secrets.length === 0 ? null : cleaner.record), removed);
const tails = createRemoteTails(
  client,
  (id, records) =>
    notifyParent<RemoteEvent>({
      kind: 'tail',
      id,
      records: `[${records.map(cleaner.record).join(',')}]`,
      count: records.length,
    }),
  removed,
);
const within = <T>(find: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  find(AbortSignal.timeout(SEARCH_MS)).catch((error: unknown) => {
    throw unreadable(error);
  });
const tools = (signal: AbortSignal) => ({ signal, clean: cleaner.record, removed });

const methods = {
  search: (query: SearchQuery, now: number) =>
    within(async (signal) => Buffer.from(await remoteSearch(client, query, now, SEARCH_MS, tools(signal)))),
  records: (query: SearchQuery, now: number) =>
    within(async (signal) => Buffer.from(await remoteRecords(client, query, now, SEARCH_MS, tools(signal)))),
  hits: (query: HitsQuery, now: number) =>
    within(async (signal) => cleaner.hits(await remoteHits(client, query, now, SEARCH_MS, signal))),
  values: (query: ValuesQuery, now: number) =>
    within(async (signal) => cleaner.values(await remoteValues(client, query, now, SEARCH_MS, signal))),
  open: (id: number, run: LogRun) => runs.open(id, run),
  next: (id: number) => runs.next(id),
  close: (id: number) => runs.close(id),
  tail: (id: number, filter: LogFilter) => tails.add(id, filter),
  untail: (id: number) => tails.remove(id),
  insert: (id: string | null, ndjson: LogBatch['ndjson'], options: LogBatch['options']) =>
    inserting.insert({ id, ndjson, options }, redactor),
  redact(given: readonly NamedSecret[]) {
    secrets = given;
    cleaner.redact(given);
    redactor = createRedactor(given, MIN_REDACTED_CHARACTERS);
  },
  end() {
    watch.close();
    tails.close();
    runs.closeAll();
    client.close();
    inserting.close();
  },
};
export type RemoteMethods = typeof methods;
serveThread(methods);
