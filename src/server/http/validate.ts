import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { explain } from '../../lib/explain.ts';
import { Fault } from '../../lib/fault.ts';

export interface Validators {
  readonly params: Validator | null;
  readonly query: Validator;
  readonly body: Validator | null;
}

export interface Validator {
  (value: unknown): boolean;
  /** Of the last call. */
  errors(): readonly ErrorObject[];
}

/** Compiles the schemas of a route: path and query are text and coerced, bodies are taken as they come. */
export type CompileRoute = (route: { params?: TSchema; query?: TSchema; body?: TSchema }) => Validators;

const NO_QUERY = { type: 'object', properties: {}, additionalProperties: false };

export function createRouteCompiler(): CompileRoute {
  const options = { allErrors: true, strict: false, ownProperties: true, useDefaults: true, logger: false } as const;
  const coercing = new Ajv({ ...options, coerceTypes: true });
  const plain = new Ajv(options);
  for (const ajv of [coercing, plain]) (formats as unknown as (ajv: Ajv) => void)(ajv);
  return ({ params, query, body }) => ({
    params: params ? late(() => coercing.compile(params)) : null,
    query: late(() => coercing.compile(query ?? NO_QUERY)),
    body: body ? late(() => plain.compile(body)) : null,
  });
}

/** Compiles on the first use: a master that starts does not wait for routes that nobody calls yet. */
function late(compile: () => ValidateFunction): Validator {
  let compiled: ValidateFunction | undefined;
  const validate = (value: unknown): boolean => (compiled ??= compile())(value);
  return Object.assign(validate, { errors: () => compiled?.errors ?? [] });
}

/** Throws VALIDATION_FAILED with one entry for each fault of path, query and body together. */
export function assertValid(checks: readonly (readonly [Validator | null, unknown])[]): void {
  const errors: { pointer: string; message: string }[] = [];
  for (const [validate, value] of checks) if (validate && !validate(value)) errors.push(...explain(validate.errors()));
  if (errors.length === 0) return;
  const [first] = errors;
  throw new Fault('VALIDATION_FAILED', errors.length === 1 ? `${first?.pointer === '' ? 'the body' : first?.pointer} ${first?.message}` : `${errors.length} parts of the request are not valid; see errors`, { errors });
}
