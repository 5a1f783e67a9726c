import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSemaphore } from '../../../lib/semaphore.ts';
import { KEEPS_BATCH_IDS_HEADER } from '../batch-headers.ts';
import { Refusal, refusalOf, sendJson, sendText } from './answer.ts';
import { createSharedRoom } from '../../../lib/shared-room.ts';
import { readBody, type HeldBytes } from './body.ts';
import { createConverter } from './converter.ts';
import { facets, hits } from './hits.ts';
import { ELASTIC, insertBulk, insertJsonLines, insertLoki, insertOtlp, type InsertDeps } from './insert.ts';
import type { QueryArguments, LogQueryRequest, LogHttpOptions } from './port.ts';
import { query } from './query.ts';
import { statsQuery, statsQueryRange } from './stats-query.ts';
import { tail } from './tail.ts';
import { createLogTails } from './tails.ts';
import { fieldNames, fieldValues, streamFieldNames, streamFieldValues, streamIds, streams } from './values.ts';

/** The surface of VictoriaLogs over a log store: what its clients send and read (`docs/log-http.md`). */
export interface LogHttp {
  /** `isWorker`: it comes with the token of a worker, of which nobody asks here what it runs. */
  handle(request: IncomingMessage, response: ServerResponse, isWorker?: boolean): void;
  close(): Promise<void>;
}

type Select = (ask: LogQueryRequest) => Promise<void>;
const SELECT: Readonly<Record<string, Select>> = {
  query,
  tail,
  hits,
  facets,
  field_names: fieldNames,
  field_values: fieldValues,
  streams,
  stream_ids: streamIds,
  stream_field_names: streamFieldNames,
  stream_field_values: streamFieldValues,
  stats_query: statsQuery,
  stats_query_range: statsQueryRange,
};
/** Endpoints that answer errors as Prometheus does. */
const PROMETHEUS = new Set(['stats_query', 'stats_query_range']);
const INSERT: Readonly<Record<string, typeof insertJsonLines>> = {
  '/insert/jsonline': insertJsonLines,
  '/insert/elasticsearch/_bulk': insertBulk,
  '/insert/loki/api/v1/push': insertLoki,
  '/insert/opentelemetry/v1/logs': insertOtlp,
};
/** What Elasticsearch's clients ask before they send. */
const STUBS = /^\/insert\/elasticsearch\/(?:_ilm\/policy|_index_template|_ingest|_nodes|_logstash|_rollup)/;

/** What says whose run a line is of: the port for lines holds it against what the sender's workers run. */
const OF_RUN = ['job_id', 'task_id', 'worker_id', 'source', 'workflow_id'];

/** Bytes of a form; a query has at most 16 KiB. */
const FORM_BYTES = 256 * 1024;
/** Time that is left for the answer to a body that is not read to its end. */
const PARTING_MS = 2000;
/** How long a query waits for its turn, and how many may. */
const WAIT_MS = 10_000;
const WAITING = 1000;

export function createLogHttp(options: LogHttpOptions): LogHttp {
  const { limits } = options;
  const converter = createConverter();
  const room: HeldBytes = { held: 0, most: limits.logInsertHeldBytes };
  const forms: HeldBytes = { held: 0, most: 16 * 1024 * 1024 };
  const deps: InsertDeps = { options, room, converter, shared: createSharedRoom(), claimedFields: [] };
  const depsOfWorker: InsertDeps = { ...deps, claimedFields: OF_RUN };
  const queries = createSemaphore({
    most: () => limits.logQueries,
    waiting: WAITING,
    waitMs: WAIT_MS,
    refuse: (_, most) =>
      new Refusal(
        503,
        `couldn't start executing the request in ${WAIT_MS / 1000} seconds, because ${most} requests are already running: try again later`,
        10,
      ),
  });
  const closed = new AbortController();
  const following = createLogTails(options);
  let tails = 0;

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    args: URLSearchParams,
    isWorker: boolean,
  ): Promise<void> {
    const reading = request.method === 'GET' || request.method === 'HEAD';
    if (path === '/health' || path === '/')
      return sendText(response, 200, path === '/' ? 'Yardmaster log store: see docs/log-http.md' : 'OK', {
        [KEEPS_BATCH_IDS_HEADER]: '1',
      });
    if (path === '/insert/ready') return sendJson(response, { status: 'ok' });
    if (path === '/insert/loki/ready') return sendText(response, 200, 'ready');
    const insert = INSERT[path];
    if (insert) {
      if (request.method !== 'POST' && request.method !== 'PUT') throw new Refusal(405, `${path} takes POST`);
      oneTenant(request);
      return insert(isWorker ? depsOfWorker : deps, request, response, args);
    }
    if (path === '/insert/elasticsearch' || path === '/insert/elasticsearch/')
      return sendJson(response, { version: { number: '8.9.0' } }, 200, ELASTIC);
    if (path.startsWith('/insert/elasticsearch/_license'))
      return sendJson(
        response,
        { license: { uid: 'yardmaster', type: 'oss', status: 'active', expiry_date_in_millis: 4_000_000_000_000 } },
        200,
        ELASTIC,
      );
    if (STUBS.test(path)) return sendJson(response, {}, 200, ELASTIC);
    const name = path.startsWith('/select/logsql/') ? path.slice('/select/logsql/'.length) : '';
    const select = Object.hasOwn(SELECT, name) ? SELECT[name] : undefined;
    if (!select) throw new Refusal(400, `unsupported path requested: ${JSON.stringify(path.slice(0, 200))}`);
    if (!reading && request.method !== 'POST') throw new Refusal(405, `${path} accepts only GET and POST`);
    oneTenant(request);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const ask: LogQueryRequest = {
      tails: following,
      args: await argsOf(request, args),
      headers: request.headers,
      request,
      response,
      signal: AbortSignal.any([gone.signal, closed.signal]),
      started: performance.now(),
      options,
      range: { from: null, to: null },
    };
    response.setHeader('accountid', '0');
    response.setHeader('projectid', '0');
    if (name === 'tail') return followed(ask);
    const release = await queries.acquire(ask.signal);
    try {
      await select(ask);
    } finally {
      release();
    }
  }

  async function followed(ask: LogQueryRequest): Promise<void> {
    if (tails >= limits.logTails)
      throw new Refusal(503, `the maximum of ${tails} live tails is reached: try again later`, 5);
    tails++;
    try {
      await tail(ask);
    } finally {
      tails--;
    }
  }

  /** From the query string, then from a form in the body. */
  async function argsOf(request: IncomingMessage, args: URLSearchParams): Promise<QueryArguments> {
    if (request.method !== 'POST') return args;
    const { bytes, done } = await readBody(request, FORM_BYTES, { room: forms, converter });
    done();
    const form = new URLSearchParams(bytes.toString());
    return {
      get: (name) => args.get(name) ?? form.get(name),
      getAll: (name) => [...args.getAll(name), ...form.getAll(name)],
    };
  }

  return {
    handle(request, response, isWorker = false) {
      const [given = '', ...rest] = (request.url ?? '/').split('?');
      const path = pathOf(given);
      // The reader has gone, or will be told below.
      response.on('error', () => {});
      request.on('error', () => {});
      serve(request, response, path, new URLSearchParams(rest.join('?')), isWorker).catch((error: unknown) => {
        const refusal = refusalOf(error);
        if (refusal.status === 500) options.onError(error);
        refuse(request, response, refusal, path);
      });
    },
    async close() {
      closed.abort();
      await converter.close();
    },
  };
}

/** Clients put two slashes where one is meant. */
export const pathOf = (given: string): string => given.replace(/\/{2,}/g, '/');

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, retryAfter }: Refusal,
  path: string,
): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.headersSent) {
    // Whoever reads must not take what came for the whole: the text, and then no proper end.
    response.write(`\n${message}\n`, () => response.destroy());
    // One that reads nothing is never told.
    setTimeout(() => response.destroy(), PARTING_MS).unref();
    return;
  }
  const headers: Record<string, string> = {
    ...(retryAfter === null ? {} : { 'retry-after': String(retryAfter) }),
    ...(request.complete ? {} : { connection: 'close' }),
    ...(path.startsWith('/insert/elasticsearch') ? ELASTIC : {}),
  };
  if (PROMETHEUS.has(path.slice('/select/logsql/'.length)))
    sendJson(
      response,
      { status: 'error', errorType: String(status === 400 ? 422 : status), error: message },
      status === 400 ? 422 : status,
      headers,
    );
  else sendText(response, status, `${message}\n`, headers);
  if (request.complete) return;
  request.resume();
  setTimeout(() => request.destroy(), PARTING_MS).unref();
}

/** There is one tenant, 0:0. */
function oneTenant(request: IncomingMessage): void {
  for (const name of ['accountid', 'projectid'] as const) {
    const value = request.headers[name];
    if (value !== undefined && value !== '' && value !== '0')
      throw new Refusal(400, `this store has a single tenant: the header ${name} must be 0 or absent`);
  }
}
