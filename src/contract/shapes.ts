import { type TSchema, type TUnsafe, Type } from 'typebox';
import { ENVIRONMENTS, JOB_STATUSES, type Role, ROLES, TASK_STATES } from './vocabulary.ts';

/** What the shapes of the REST API are made of. */

/** A closed set of words. */
export const oneOf = <T extends readonly string[]>(values: T) =>
  Type.Union(values.map((v) => Type.Literal(v)) as never) as unknown as TUnsafe<T[number]>;

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

export const strict = { additionalProperties: false } as const;
export const Id = Type.String({ minLength: 1, maxLength: 64 });

export const Hash = Type.String({
  pattern: '^[0-9a-f]{4,40}$',
  description: 'Commit hash, or an unambiguous prefix of at least 4 digits',
});

export const Instant = Type.String({ format: 'date-time' });

export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000, default: 0 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 20 })),
};

export const Paging = Type.Object(paging, strict);

export const sort = (...fields: string[]) =>
  Type.Optional(
    Type.String({
      pattern: `^(${fields.join('|')})(,(asc|desc))?$`,
      description: `One of ${fields.join(', ')}, then ,asc or ,desc`,
    }),
  );

export const many = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([Type.Array(schema), schema]));
export const Any = Type.Unknown();
export const EnvironmentSchema = oneOf(ENVIRONMENTS);
export const JobStatusSchema = oneOf(JOB_STATUSES);
export const TaskStateSchema = oneOf(TASK_STATES);
export const RoleSchema = oneOf(ROLES);

/**
 * The route table of the master's port. The server registers exactly these, `/api/v1/openapi.json` and `/docs` are
 * drawn from them, and the worker role reaches none of them.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Fastify form, `:name` for parameters. */
  readonly path: string;
  /** The lowest operator role that may call it; `key`: an API key; `open`: none needed. */
  readonly access: Exclude<Role, 'worker'> | 'key' | 'open';
  readonly tag: string;
  readonly summary: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Success answers by status; `null`: no body. Errors are always `application/problem+json`. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Answers with another type than JSON. */
  readonly produces?: string;
}

/** Of a route under the id of one thing. */
export const IdParams = Type.Object({ id: Id });

export type Routes = Readonly<Record<string, Route>>;
