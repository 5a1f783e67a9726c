import type { IncomingMessage, ServerResponse } from 'node:http';
import { VERSION } from '../../../contract/version.ts';
import type { Role } from '../../../contract/vocabulary.ts';
import { iso } from '../../../lib/clock.ts';
import { createSemaphore } from '../../../lib/semaphore.ts';
import {
  createBucket,
  deleteBucket,
  listBuckets,
  oneBucket,
  oneOrganization,
  organizations,
  deletePoints,
  updateBucket,
} from './admin.ts';
import { notFound, Refusal, refusalOf, sendJson, sendNothing, sendRefusal } from './answer.ts';
import type { HeldBytes } from './port.ts';
import type { InfluxRequest, Requester, InfluxHttpOptions } from './port.ts';
import { query } from './query.ts';
import { write } from './write.ts';

/** The surface of InfluxDB 2 over a metric store: what its clients send and read (`docs/influx-http.md`). */
export interface InfluxHttp {
  handle(request: IncomingMessage, response: ServerResponse, asker: Requester | null): void;
  close(): void;
}

const READ: readonly Role[] = ['viewer', 'operator', 'admin'];
const WRITE: readonly Role[] = ['operator', 'admin'];
const ADMIN: readonly Role[] = ['admin'];

interface Route {
  readonly method: string;
  readonly path: RegExp;
  /** Null: anybody. */
  readonly roles: readonly Role[] | null;
  run(ask: InfluxRequest): Promise<void> | void;
}

/** What clients that speak of versions are told: the one whose protocol this is. */
const SPOKEN = { 'x-influxdb-version': `v2.7.12-yardmaster.${VERSION}`, 'x-influxdb-build': 'OSS' };

function health({ response, refusing }: InfluxRequest): void {
  const why = refusing();
  sendJson(response, why === null ? 200 : 503, {
    name: 'influxdb',
    message: why ?? 'healthy',
    status: why === null ? 'pass' : 'fail',
    checks: [],
    version: SPOKEN['x-influxdb-version'],
    commit: '',
  });
}

const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^\/health$/, roles: null, run: health },
  {
    method: 'GET',
    path: /^\/ready$/,
    roles: null,
    run: ({ response, clock, startedAt }) =>
      sendJson(response, 200, { status: 'ready', started: iso(startedAt), up: upFor(clock.now() - startedAt) }),
  },
  { method: 'GET', path: /^\/ping$/, roles: null, run: ({ response }) => sendNothing(response) },
  {
    method: 'GET',
    path: /^\/api\/v2\/setup$/,
    roles: null,
    run: ({ response }) => sendJson(response, 200, { allowed: false }),
  },
  {
    method: 'POST',
    path: /^\/api\/v2\/setup$/,
    roles: null,
    run() {
      throw new Refusal(422, 'conflict', 'onboarding has already been completed');
    },
  },
  { method: 'POST', path: /^\/api\/v2\/write$/, roles: WRITE, run: write },
  { method: 'POST', path: /^\/api\/v2\/query$/, roles: READ, run: query },
  { method: 'POST', path: /^\/api\/v2\/delete$/, roles: ADMIN, run: deletePoints },
  { method: 'GET', path: /^\/api\/v2\/orgs$/, roles: READ, run: organizations },
  { method: 'GET', path: /^\/api\/v2\/orgs\/([^/]+)$/, roles: READ, run: oneOrganization },
  { method: 'GET', path: /^\/api\/v2\/buckets$/, roles: READ, run: listBuckets },
  { method: 'POST', path: /^\/api\/v2\/buckets$/, roles: ADMIN, run: createBucket },
  { method: 'GET', path: /^\/api\/v2\/buckets\/([^/]+)$/, roles: READ, run: oneBucket },
  { method: 'PATCH', path: /^\/api\/v2\/buckets\/([^/]+)$/, roles: ADMIN, run: updateBucket },
  { method: 'DELETE', path: /^\/api\/v2\/buckets\/([^/]+)$/, roles: ADMIN, run: deleteBucket },
];

/** Time that is left for the answer to a body that is not read to its end. */
const PARTING_MS = 2000;
/** How long a query waits for its turn, and how many may. */
const WAIT_MS = 10_000;
const WAITING = 256;

function find(method: string, path: string): { route: Route; params: string[] } | null {
  const asked = method === 'HEAD' ? 'GET' : method;
  for (const route of ROUTES) {
    const found = route.method === asked ? route.path.exec(path) : null;
    if (found) return { route, params: found.slice(1) };
  }
  return null;
}

const pathOf = (request: IncomingMessage): URL | null => URL.parse(request.url ?? '/', 'http://store');

/** Roles that may ask for this; null: anybody may. */
export const rolesFor = (path: string, method: string): readonly Role[] | null => {
  const found = find(method, path);
  return found ? found.route.roles : READ;
};

/** Refuses in this protocol's shape what the door does not let through. */
export function refuseInflux(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
): void {
  if (status === 401) answer(request, response, new Refusal(401, 'unauthorized', 'unauthorized access'));
  else
    answer(
      request,
      response,
      new Refusal(status, status === 403 ? 'forbidden' : status === 429 ? 'too many requests' : 'invalid', message),
    );
}

function answer(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent) return void response.destroy();
  sendRefusal(response, refusal, request.complete ? {} : { connection: 'close' });
  if (request.complete) return;
  request.resume();
  setTimeout(() => request.destroy(), PARTING_MS).unref();
}

export function createInfluxHttp(options: InfluxHttpOptions): InfluxHttp {
  const held: HeldBytes = { bytes: 0, most: () => options.limits.influxHeldBytes };
  const queries = createSemaphore({
    most: () => options.limits.fluxQueries,
    waiting: WAITING,
    waitMs: WAIT_MS,
    refuse: (_, most) =>
      new Refusal(429, 'too many requests', `the maximum of ${most} concurrent queries is reached: try again later`, 5),
  });
  const closed = new AbortController();
  const startedAt = options.clock.now();

  async function serve(request: IncomingMessage, response: ServerResponse, asker: Requester | null): Promise<void> {
    const url = pathOf(request);
    const found = url && find(request.method ?? 'GET', url.pathname);
    for (const [name, value] of Object.entries(SPOKEN)) response.setHeader(name, value);
    if (!url || !found) {
      const other = url && ROUTES.find((route) => route.path.test(url.pathname));
      throw other
        ? new Refusal(405, 'method not allowed', `${url.pathname} does not allow ${request.method ?? ''}`)
        : notFound('path not found');
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    await found.route.run({
      ...options,
      request,
      response,
      query: url.searchParams,
      params: found.params,
      heldBytes: held,
      asker,
      acquire: queries.acquire,
      startedAt,
      signal: AbortSignal.any([gone.signal, closed.signal]),
    });
  }

  return {
    handle(request, response, asker) {
      // The reader has gone, or will be told below.
      response.on('error', () => {});
      request.on('error', () => {});
      serve(request, response, asker).catch((error: unknown) => {
        const { refusal, internal } = refusalOf(error);
        if (internal) options.onError(error);
        answer(request, response, refusal);
      });
    },
    close: () => closed.abort(),
  };
}

/** As Go prints a duration. */
function upFor(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${(seconds % 60).toFixed(3)}s`;
}
