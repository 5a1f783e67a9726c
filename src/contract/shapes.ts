import { type TObject, type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox';
import type { ErrorCode } from './errors.ts';
import { ENVIRONMENTS, JOB_STATUSES, type Role, ROLES, TASK_STATES } from './vocabulary.ts';

/** What the shapes of the REST API are made of. */

/** A closed set of words. */
export const enumOf = <T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>(Type.Union(values.map((v) => Type.Literal(v))));

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const Time = Type.String({ description: 'ISO 8601, UTC, milliseconds' });
export const Count = Type.Integer({ minimum: 0 });

/** Any JSON value. */
export const Json = Type.Unknown();

export const PageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), page: Count, size: Count, totalItems: Count, totalPages: Count });

/** RFC 9457; what stands beside these members depends on the code. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    instance: Type.String(),
    errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }))),
  },
  { additionalProperties: true },
);

export interface Page<T> {
  items: T[];
  page: number;
  size: number;
  totalItems: number;
  totalPages: number;
}

/** An object with these members and no others. */
export const Closed = <P extends TProperties>(members: P, options: TObjectOptions = {}) =>
  Type.Object(members, { additionalProperties: false, ...options });
export const Id = Type.String({ minLength: 1, maxLength: 64 });

/** How people name a version; `findVersion` of the master looks it up. */
export const VERSION_NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$';
export const Hash = Type.String({
  pattern: VERSION_NAME,
  description: 'Commit hash or an unambiguous prefix of at least 4 digits; or a tag; or a number such as v12',
});

/** The whole hash of a version, as answers hold it. */
export const WholeHash = Type.String({ pattern: '^[0-9a-f]{40}$' });

export const Instant = Type.String({ format: 'date-time' });

export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000, default: 0 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 20 })),
};

export const Paging = Closed(paging);

export const sort = (...fields: string[]) =>
  Type.Optional(
    Type.String({
      pattern: `^(${fields.join('|')})(,(asc|desc))?$`,
      description: `One of ${fields.join(', ')}, then ,asc or ,desc`,
    }),
  );

/** What may be given once or several times, always as a list; anything else as it is. */
export type Several<T> = Extract<T, unknown[]> extends never ? T : Extract<T, unknown[] | undefined>;
export const many = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([Type.Array(schema), schema]));
export const EnvironmentSchema = enumOf(ENVIRONMENTS);
export const JobStatusSchema = enumOf(JOB_STATUSES);
export const TaskStateSchema = enumOf(TASK_STATES);
export const RoleSchema = enumOf(ROLES);

/**
 * The route table of the master's port. The server registers exactly these, `/api/v1/openapi.json` and `/docs` are
 * drawn from them, and the worker role reaches none of them.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Fastify form, `:name` for parameters. */
  readonly path: string;
  /**
   * The lowest operator role that may call it; `self`: whoever is known, about themselves, also one that may do nothing
   * yet; `key`: an API key; `open`: none needed.
   */
  readonly access: Exclude<Role, 'worker'> | 'self' | 'key' | 'open';
  readonly tag: string;
  readonly summary: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** What it alone may be refused with; `routeErrors` has all. */
  readonly errors: readonly ErrorCode[];
  /** Success answers by status; `null`: no body. Errors are always `application/problem+json`. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Answers with another type than JSON. */
  readonly produces?: string;
}

/** Codes that any route may answer with: what is wrong with the request itself, or with the master. */
const ANY_ROUTE: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'DATA_DAMAGED',
  'HEADERS_TOO_LARGE',
  'HOST_REFUSED',
  'INTERNAL',
  'NO_OWNER',
  'OVERLOADED',
  'REQUEST_TIMEOUT',
  'SHUTTING_DOWN',
  'STORE_FULL',
  'STORE_UNAVAILABLE',
  'VALIDATION_FAILED',
];

/** All codes that a route may answer with: its own first, then those of its kind. */
export const routeErrors = ({ errors, access, method, body }: Omit<Route, 'answers'>): ErrorCode[] => [
  ...errors,
  ...(access === 'key' ? (['API_KEY_MISSING', 'API_KEY_INVALID', 'TOO_MANY_ATTEMPTS'] as const) : []),
  ...(access === 'key' || access === 'open'
    ? []
    : (['TOKEN_MISSING', 'TOKEN_INVALID', 'TOO_MANY_ATTEMPTS', 'FORBIDDEN'] as const)),
  ...(access === 'key' || access === 'open' || method === 'GET' ? [] : (['CSRF'] as const)),
  ...(body ? (['INVALID_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE'] as const) : []),
  ...ANY_ROUTE,
];

export type Routes = Readonly<Record<string, Route>>;

type Rest = Pick<Route, 'answers'> & Partial<Omit<Route, 'method' | 'path' | 'access' | 'summary' | 'tag'>>;
type Named<P extends string> = P extends `${string}:${infer N}/${infer More}`
  ? N | Named<More>
  : P extends `${string}:${infer N}`
    ? N
    : never;
type ParamsOf<P extends string> = [Named<P>] extends [never]
  ? unknown
  : { readonly params: TObject<Record<Named<P>, typeof Id>> };

/**
 * Makes rows of a table for one method. A row that names no `errors` has none of its own; what a path names is an id,
 * unless `params` says more.
 */
const row =
  <const M extends Route['method']>(method: M) =>
  <const P extends string, const R extends Rest>(path: P, access: Route['access'], summary: string, rest: R) => {
    const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, Id] as const);
    const params = named.length > 0 ? { params: Type.Object(Object.fromEntries(named)) } : {};
    return { method, path, access, summary, errors: [] as const, ...params, ...rest } as {
      readonly method: M;
      readonly path: P;
      readonly access: Route['access'];
      readonly summary: string;
      readonly errors: readonly ErrorCode[];
    } & R &
      (R extends { readonly params: TSchema } ? unknown : ParamsOf<P>);
  };

export const get = row('GET');
export const post = row('POST');
export const put = row('PUT');
export const patch = row('PATCH');
export const remove = row('DELETE');

/** The rows of a table, all under one heading of the documentation. */
export const tagged = <const T extends Readonly<Record<string, Omit<Route, 'tag'>>>>(tag: string, rows: T) =>
  Object.fromEntries(Object.entries(rows).map(([name, route]) => [name, { ...route, tag }])) as unknown as {
    readonly [N in keyof T]: T[N] & { readonly tag: string };
  };
