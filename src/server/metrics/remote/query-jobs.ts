import { createRemoteHttp } from '../../../lib/remote-http.ts';
import type { QueryJob } from '../store/port.ts';
import type { RemoteQueryMethods, RemoteThreadData } from './port.ts';
import { createRemoteQueries, type RemoteQueries } from './queries.ts';
import type { QueryGuard } from './run-flux.ts';

/** Queries at the same time. */
const CONNECTIONS = 8;

/** The query thread: reads and puts together what InfluxDB answers. */
export function openRemoteQueries({
  target,
  options,
}: Pick<RemoteThreadData, 'target' | 'options'>): RemoteQueryMethods {
  const http = createRemoteHttp(target, CONNECTIONS);
  const queries = createRemoteQueries(http, options, Date.now);
  return {
    ask: (job, { seconds, rows, settled }) =>
      answer(queries, job, { signal: AbortSignal.timeout(seconds * 1000), seconds, mostRows: rows, settled }),
  };
}

/** Arguments are those that the room gave: of its own types, by the kind of the job. */
function answer(queries: RemoteQueries, { kind, args }: QueryJob, guard: QueryGuard): Promise<unknown> {
  switch (kind) {
    case 'metrics':
      return queries.metrics(args as Parameters<RemoteQueries['metrics']>[0], guard);
    case 'series':
      return queries.series(args as Parameters<RemoteQueries['series']>[0], guard);
    case 'names':
      return queries.names(args as Parameters<RemoteQueries['names']>[0], guard);
    case 'tags':
      return queries.tags(args as Parameters<RemoteQueries['tags']>[0], guard);
    case 'tagValues':
      return queries.tagValues(args as Parameters<RemoteQueries['tagValues']>[0], guard);
    case 'flux':
    case 'verify':
      throw new Error(`a remote store has no job ${kind}`);
  }
}
