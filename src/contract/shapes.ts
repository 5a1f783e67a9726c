import { Type, type TSchema, type TUnsafe } from 'typebox';

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
