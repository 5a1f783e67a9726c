import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { ROUTES, type RouteName } from '../../../contract/routes.ts';
import type { Route, Several } from '../../../contract/shapes.ts';
import type { Identity } from '../../access/port.ts';
import type { CheckedBody } from '../../offload/port.ts';
import type { Actor } from '../../workflows/port.ts';
import { toActor, authorize, identify } from './auth.ts';
import { bodyLimits, parseBody, refuseMediaType, type BodyLimits } from './body.ts';
import { offloadThreshold, readBodyInThread } from './large-body.ts';
import { sendProblem } from './problem.ts';
import type { Json, RedactResponse } from './response-redaction.ts';
import type { Services } from './services.ts';
import type { WarmUp } from './warm-up.ts';
import { assertValid, type CompileRoute, type Validators } from './validate.ts';

/** What the files of routes are handed. */
export interface App {
  readonly fastify: FastifyInstance;
  readonly services: Services;
  readonly compile: CompileRoute;
  readonly warmUp: Pick<WarmUp, 'add'>;
  /** What operators are shown of the answers of a route. */
  readonly shown: (name: RouteName) => RedactResponse;
  /** Those that are compiled, by the schema of the answer: many routes answer with the same. */
  readonly serializers: WeakMap<TSchema, (result: unknown) => string>;
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

/** One route that the framework is told an answer of has it make its compiler of serializers, which all others are made with. */
const FRAMEWORK_SERIALIZES = { schema: { response: { 299: {} } } };

const NOBODY: Identity = { actor: 'nobody', role: 'viewer', expiresAt: null };
const EMPTY = Buffer.alloc(0);

/**
 * Registers a route of the table: access, media type, path, query and body are checked as it says, in that order; the
 * handler's result is the answer, with the table's success status. `admit` checks what is no operator's token.
 */
export function route<N extends RouteName>(
  app: App,
  name: N,
  run: (call: Call<(typeof ROUTES)[N]>) => unknown,
  admit?: (request: FastifyRequest) => void,
  given?: Serialize,
): void {
  const { fastify, services, compile, shown: shownOf } = app;
  const table: Route = ROUTES[name];
  const validators = compile(table);
  const makeLists = listsIn(table.query);
  // Each route has an answer.
  const [status, schema] = Object.entries(table.answers)[0] as [string, TSchema | null];
  const { access } = table;
  const serialize = given ?? serializerOf(app, schema);
  const limits = bodyLimits(name, services.limits);
  const heavyBytes = offloadThreshold(name, services.limits);
  const shown = access === 'open' || access === 'key' ? null : shownOf(name);

  fastify.route({
    method: table.method,
    url: table.path,
    exposeHeadRoute: table.method === 'GET',
    ...(name === 'master.healthz' ? FRAMEWORK_SERIALIZES : {}),
    onRequest(request, reply, next) {
      try {
        if (access !== 'open' && access !== 'key') {
          const identity = identify(services.access, request.method, request.headers, services.behindProxy);
          authorize(identity, access);
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
        actor: toActor(identity, request),
        request,
        reply,
      };
      // Validated by the schemas of the very route whose handler it is.
      return answer(reply, Number(status), await run(call as never), serialize, shown);
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
): void {
  route(app, name, async (call) => new JsonText(await run(call)), undefined, whole);
}

type Admitted = FastifyRequest & { identity?: Identity };

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
  serialize: Serialize,
  shown: RedactResponse | null,
): Promise<unknown> {
  if (result === ALREADY_SENT) return reply;
  if (reply.statusCode === 200) reply.code(status);
  if (status === 204) return reply.send();
  const json = result instanceof JsonText ? result.json : serialize(result);
  const cleaned = shown ? await shown(json, reply.request.method !== 'GET') : json;
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(typeof cleaned === 'string' ? cleaned : Buffer.from(cleaned.buffer, cleaned.byteOffset, cleaned.byteLength));
}

type Serialize = (result: unknown) => string;

/**
 * By the serializer of the schema, compiled on first use or before. A result that the schema does not foresee is sent
 * whole rather than lost: the tests of the rooms tell of it, the client need not.
 */
function serializerOf({ fastify, warmUp, serializers }: App, schema: TSchema | null): Serialize {
  if (schema === null || isAny(schema)) return whole;
  const ready = (): Serialize => {
    const known = serializers.get(schema);
    if (known) return known;
    // Fastify's type asks for more than it reads.
    const compiled: Serialize = fastify.serializerCompiler?.({ schema, method: '', url: '' } as never) ?? whole;
    serializers.set(schema, compiled);
    return compiled;
  };
  warmUp.add(ready);
  return (result) => {
    try {
      return ready()(result);
    } catch {
      return whole(result);
    }
  };
}

const whole: Serialize = (result) => JSON.stringify(result) ?? 'null';

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
