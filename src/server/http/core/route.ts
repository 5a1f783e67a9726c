import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { scopeOf } from '../../../contract/route-scopes.ts';
import { ROUTES, type RouteName } from '../../../contract/routes.ts';
import type { Route, Several } from '../../../contract/shapes.ts';
import { tableOf } from '../../../contract/tables.ts';
import { COPY_READ_LIMITS, MAY_READ, READ_THERE, type CopyRead, type ReadThere } from '../../../lib/copy-read.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Identity } from '../../access/port.ts';
import type { CheckedBody } from '../../offload/port.ts';
import type { Actor } from '../../workflows/port.ts';
import { toActor, authorize, identify } from './auth.ts';
import { etagOf, matchesEtag } from './etag.ts';
import { bodyLimits, parseBody, refuseMediaType, type BodyLimits } from './body.ts';
import { offloadThreshold, readBodyInThread } from './large-body.ts';
import { payloadReadsOf } from './payload-reads.ts';
import { sendProblem } from './problem.ts';
import type { RouteTable } from './route-table.ts';
import type { Json, RedactResponse } from './response-redaction.ts';
import type { Scope } from './scope.ts';
import type { Services } from './services.ts';
import type { WarmUp } from './warm-up.ts';
import { assertValid, type CompileRoute, type Validators } from './validate.ts';

/** What the files of routes are handed. */
export interface App {
  readonly fastify: FastifyInstance;
  readonly table: RouteTable<TableRoute>;
  readonly services: Services;
  readonly compile: CompileRoute;
  readonly warmUp: Pick<WarmUp, 'add'>;
  /** What people with grants may reach. */
  readonly scope: Scope;
  /** What operators are shown of the answers of a route. */
  readonly shown: (name: RouteName) => RedactResponse;
  /** Those that are compiled, by the schema of the answer: many routes answer with the same. */
  readonly serializers: WeakMap<TSchema, (result: unknown) => string>;
}

/** What the framework runs of a route. */
export interface TableRoute {
  /** Lets a request in, before its body is read; one that it does not hand on is answered. */
  onRequest?(request: FastifyRequest, reply: FastifyReply, next: () => void): void;
  handler(request: FastifyRequest, reply: FastifyReply): unknown;
}

type Of<R, K extends string> = R extends { readonly [P in K]: infer S extends TSchema } ? Static<S> : undefined;

/** A query with its defaults, and each value that may be given several times as a list. */
type Filled<Q> = { [K in keyof Q]: Several<Q[K]> } & ('page' extends keyof Q
  ? { page: number; size: number }
  : unknown);

/** A request that was let in and checked. */
export interface Call<R = Route> {
  readonly params: Of<R, 'params'>;
  readonly query: Filled<Of<R, 'query'>>;
  /** With plain numbers. */
  readonly body: Of<R, 'body'>;
  /** The body with every number as it came (lib/json). */
  readonly lossless: Of<R, 'body'>;
  /** Set where a large body was read in the thread and not parsed here: what came of it; `body` holds the rest. */
  readonly fromThread: Exclude<CheckedBody, { kind: 'plain' }> | null;
  readonly identity: Identity;
  readonly actor: Actor;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** JSON that a room made ready to send. */
export class JsonText {
  readonly json: Json;
  constructor(json: Json) {
    this.json = json;
  }
}

/** An answer that the route sent by itself. */
export const ALREADY_SENT = Symbol('sent');

const NOBODY: Identity = { actor: 'nobody', role: 'viewer', expiresAt: null, grants: null, userId: null };
const EMPTY = Buffer.alloc(0);

/**
 * Registers a route of the table: access, media type, path, query and body are checked as it says, in that order; the
 * handler's result is the answer, with the table's success status. `admit` checks what is no operator's token. `forCopy`: what
 * a standby that forwarded the request is to read instead; null: it is answered here.
 */
export function route<N extends RouteName>(
  app: App,
  name: N,
  run: (call: Call<(typeof ROUTES)[N]>) => unknown,
  admit?: (request: FastifyRequest) => void,
  given?: Serialize,
  forCopy?: (call: Call<(typeof ROUTES)[N]>) => Promise<CopyRead | null>,
): void {
  const { services, compile, shown: shownOf } = app;
  const table: Route = ROUTES[name];
  const validators = compile(table);
  const makeLists = listsIn(table.query);
  // Each route has an answer.
  const [status, schema] = Object.entries(table.answers)[0] as [string, TSchema | null];
  const { access } = table;
  const needs = scopeOf(name);
  const { scope } = app;
  const serialize = given ?? serializerOf(app, schema, table.method === 'GET');
  const limits = bodyLimits(name, services.limits);
  const heavyBytes = offloadThreshold(name, services.limits);
  const shown = access === 'open' || access === 'key' ? null : shownOf(name);

  const noteRead = payloadReadsOf(app, name);
  const isList = table.method === 'GET' && isPaged(table.query);

  app.table.add(table.method, table.path, {
    onRequest(request, reply, next) {
      try {
        if (access !== 'open' && access !== 'key') {
          const identity = identify(services.access, request, services.proxies);
          authorize(identity, access);
          if (identity.grants !== null) {
            if (needs === null) throw new Fault('FORBIDDEN', 'this request is not open to people');
            scope.enter(identity, needs);
          }
          // Kept with the request from here to its handler.
          (request as Admitted).identity = identity;
        }
        admit?.(request);
        const refused = validators.body && !isBodiless(request) ? refuseMediaType(request.headers) : null;
        if (refused) throw refused;
        next();
      } catch (error) {
        sendProblem(reply, error);
      }
    },
    async handler(request, reply) {
      const identity = (request as Admitted).identity ?? NOBODY;
      // The validators of the route look at it before anybody reads it.
      const query = (request.query ?? {}) as Record<string, unknown>;
      const params = request.params ?? {};
      // Before anything of the request is weighed: a refusal tells nothing of what is behind it.
      if (needs !== null && identity.grants !== null)
        await scope.check(identity, needs, params as Readonly<Record<string, string>>);
      const masks =
        needs !== null && services.access.projects.masks.size > 0
          ? await scope.masks(identity, name, needs, params as Readonly<Record<string, string>>)
          : null;
      // The one reader of bodies gives bytes.
      const bytes = request.body as Buffer | undefined;
      const checked =
        validators.body && bytes && bytes.length >= heavyBytes
          ? await readBodyInThread(services.offload, name, bytes, { params, query })
          : null;
      const fromThread = checked === null || checked.kind === 'plain' ? null : checked;
      const { body, lossless } = fromThread
        ? { body: fromThread.fields, lossless: fromThread.fields }
        : bodyOf(request, validators, limits);
      assertValid([
        [validators.params, params],
        [validators.query, query],
        ...(fromThread ? [] : [[validators.body, body] as const]),
      ]);
      makeLists(query);
      const call = {
        params,
        query,
        body,
        lossless,
        fromThread,
        identity,
        actor: toActor(identity, request, services.proxies),
        request,
        reply,
      };
      // What a person with grants is shown of it, and what is masked, is decided here.
      if (
        forCopy !== undefined &&
        identity.grants === null &&
        services.access.projects.masks.size === 0 &&
        request.headers[MAY_READ] !== undefined &&
        services.cluster.appended
      ) {
        const read = await forCopy(call as never);
        if (read !== null) {
          noteRead?.(call);
          return readThere(reply, services, name, read);
        }
      }
      // Validated by the schemas of the very route whose handler it is.
      const result = await run(call as never);
      noteRead?.(call);
      // Health checks tell of no data, and have to answer also where the disk fails.
      if (result !== ALREADY_SENT && access !== 'open') await services.durable();
      const isNothing = result === undefined && table.answers[NO_CONTENT] === null;
      const shownHere = shown && ((json: Json, patient: boolean) => shown(json, patient, masks));
      return answer(reply, isNothing ? NO_CONTENT : Number(status), result, { serialize, shown: shownHere, isList });
    },
  });
}

/**
 * The same for a route that makes its own JSON: no serializer is compiled, which for a large shape would hold the event
 * loop for longer than all that it saves.
 */
export function textRoute<N extends RouteName>(
  app: App,
  name: N,
  run: (call: Call<(typeof ROUTES)[N]>) => Json | Promise<Json>,
  forCopy?: (call: Call<(typeof ROUTES)[N]>) => Promise<CopyRead | null>,
): void {
  route(app, name, async (call) => new JsonText(await run(call)), undefined, whole, forCopy);
}

/** The standby answers in place of this master, from what it has once that is all that can be told by now. */
async function readThere(
  reply: FastifyReply,
  { cluster, durable, limits }: Services,
  name: RouteName,
  { method, args }: CopyRead,
): Promise<unknown> {
  await durable();
  const turn = cluster.appended?.() ?? 0;
  const there = { route: name, turn, method, args, limits: tableOf(COPY_READ_LIMITS, (one) => limits[one]) };
  return reply
    .header(READ_THERE, '1')
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(there satisfies ReadThere));
}

const NO_CONTENT = 204;

type Admitted = FastifyRequest & { identity?: Identity };

/** Whether it is known who sends a request, before its body is read. */
export const isAdmitted = (request: FastifyRequest): boolean => (request as Admitted).identity !== undefined;

const isAny = (schema: TSchema): boolean => Object.keys(schema).length === 0;
const isBodiless = ({ headers }: FastifyRequest): boolean =>
  headers['content-type'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) === 0;

function bodyOf(
  request: FastifyRequest,
  validators: Validators,
  limits: BodyLimits,
): { body: unknown; lossless: unknown } {
  if (!validators.body) return { body: undefined, lossless: undefined };
  if (isBodiless(request)) {
    // A body of which everything is optional may be left out.
    const empty = {};
    const refused = validators.body(empty) ? null : refuseMediaType(request.headers);
    if (refused) throw refused;
    return { body: empty, lossless: empty };
  }
  // The one reader of bodies gives bytes.
  const { value, plain } = parseBody((request.body as Buffer | undefined) ?? EMPTY, limits);
  return { body: plain, lossless: value };
}

async function answer(
  reply: FastifyReply,
  status: number,
  result: unknown,
  { serialize, shown, isList }: { serialize: Serialize; shown: RedactResponse | null; isList: boolean },
): Promise<unknown> {
  if (result === ALREADY_SENT) return reply;
  if (reply.statusCode === 200) reply.code(status);
  if (status === NO_CONTENT) return reply.send();
  const json = result instanceof JsonText ? result.json : serialize(result);
  const cleaned = shown ? await shown(json, reply.request.method !== 'GET') : json;
  // Pages read lists again and again: one that is as before is not sent again.
  if (isList && reply.statusCode === 200) {
    const etag = etagOf(cleaned);
    void reply.header('etag', etag);
    if (matchesEtag(reply.request.headers['if-none-match'], etag)) return reply.code(304).send();
  }
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(typeof cleaned === 'string' ? cleaned : Buffer.from(cleaned.buffer, cleaned.byteOffset, cleaned.byteLength));
}

type Serialize = (result: unknown) => string;

/**
 * By the serializer of the schema, compiled on first use or before. A result that the schema does not foresee is sent
 * whole rather than lost: the tests of the rooms tell of it, the client need not.
 */
function serializerOf({ fastify, warmUp, serializers }: App, schema: TSchema | null, isRead: boolean): Serialize {
  if (schema === null || isAny(schema)) return whole;
  const ready = (): Serialize => {
    const known = serializers.get(schema);
    if (known) return known;
    // Fastify's type asks for more than it reads.
    const compiled: Serialize = fastify.serializerCompiler?.({ schema, method: '', url: '' } as never) ?? whole;
    serializers.set(schema, compiled);
    return compiled;
  };
  if (isRead) warmUp.add(ready);
  return (result) => {
    try {
      return ready()(result);
    } catch {
      return whole(result);
    }
  };
}

const whole: Serialize = (result) => JSON.stringify(result) ?? 'null';

const isPaged = (query: TSchema | undefined): boolean =>
  'page' in ((query as { properties?: object } | undefined)?.properties ?? {});

/** Makes lists of the values of a query that may be given several times. */
function listsIn(query: TSchema | undefined): (query: Record<string, unknown>) => void {
  const properties = Object.entries(
    (query as { properties?: Record<string, { anyOf?: { type?: string }[] }> })?.properties ?? {},
  );
  const names = properties.filter(([, { anyOf }]) => anyOf?.[0]?.type === 'array').map(([name]) => name);
  return (given) => {
    for (const name of names) if (given[name] !== undefined && !Array.isArray(given[name])) given[name] = [given[name]];
  };
}
