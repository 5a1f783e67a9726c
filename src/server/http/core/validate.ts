import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import type { Limits } from '../../../contract/limits.ts';
import { ROUTES } from '../../../contract/routes.ts';
import { explainValidationErrors } from '../../../lib/validation-errors.ts';
import { Fault } from '../../../lib/fault.ts';
import type { WarmUp } from './warm-up.ts';

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
export type CompileRoute = (route: { path?: string; params?: TSchema; query?: TSchema; body?: TSchema }) => Validators;

/**
 * A time by RFC 3339 is also one that can be counted with: a leap second is none for `Date`, and nothing would ever be after it.
 */
function onlyCountable(ajv: Ajv): void {
  const { validate: isTime } = ajv.formats['date-time'] as { validate(text: string): boolean };
  ajv.addFormat('date-time', (text) => isTime(text) && !Number.isNaN(Date.parse(text)));
}

const NO_QUERY = { type: 'object', properties: {}, additionalProperties: false };

export function createRouteCompiler(limits: Sizes, warmUp: Pick<WarmUp, 'add'> | null): CompileRoute {
  // The schemas are our own: to compile the schema of schemas first would cost the first caller 60 ms.
  // Nor is their code worth a second look: it would take a third more of the time.
  const options = {
    validateSchema: false,
    meta: false,
    code: { optimize: false },
    allErrors: true,
    strict: false,
    ownProperties: true,
    useDefaults: true,
    logger: false,
  } as const;
  const coercing = new Ajv({ ...options, coerceTypes: true });
  const plain = new Ajv(options);
  for (const ajv of [coercing, plain]) {
    formats(ajv);
    onlyCountable(ajv);
  }
  // Many routes have the same path parameters, or the same query.
  const compiled = new Map<string, ValidateFunction>();
  function coerced(schema: object): ValidateFunction {
    const text = JSON.stringify(schema);
    const known = compiled.get(text) ?? coercing.compile(schema);
    compiled.set(text, known);
    return known;
  }
  // Bodies come from people who change something, one at a time: their schemas are large, and most are never used.
  return ({ path, params, query, body }) => ({
    params: params ? late(() => coerced(params), warmUp) : null,
    query: inDigits(
      query,
      late(() => coerced(query ? sized(query, path, limits) : NO_QUERY), warmUp),
    ),
    body: body ? late(() => plain.compile(body)) : null,
  });
}

type Sizes = Pick<Limits, 'pageSize' | 'pageSizeMax' | 'logSearchLimit' | 'logSearchLimitMax' | 'metricsLimit'>;

/** The sizes in the route table are the defaults; those in force are configured. */
function sized(query: TSchema, path: string | undefined, limits: Sizes): object {
  const { properties } = query as { properties?: Record<string, object> };
  const set: Record<string, object> = {};
  if (properties?.['size'])
    set['size'] = { ...properties['size'], default: limits.pageSize, maximum: limits.pageSizeMax };
  if (path === ROUTES['logs.search'].path)
    set['limit'] = { ...properties?.['limit'], default: limits.logSearchLimit, maximum: limits.logSearchLimitMax };
  if (path === ROUTES['metrics.query'].path) set['limit'] = { ...properties?.['limit'], default: limits.metricsLimit };
  return { ...query, properties: { ...properties, ...set } };
}

/** Compiles on the first use or in an idle moment before it: a master that starts does not wait for routes that nobody calls yet. */
function late(compile: () => ValidateFunction, warmUp: Pick<WarmUp, 'add'> | null = null): Validator {
  let compiled: ValidateFunction | undefined;
  const ready = () => (compiled ??= compile());
  warmUp?.add(ready);
  return Object.assign((value: unknown): boolean => ready()(value), { errors: () => compiled?.errors ?? [] });
}

/** Ajv takes for a whole number whatever JavaScript does: `1e2`, `0x10`, ` 5`. In a query it is written in digits. */
function inDigits(query: TSchema | undefined, validate: Validator): Validator {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, { type?: string }> };
  const names = Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
  if (names.length === 0) return validate;
  const plainly = (value: unknown): boolean => {
    const given = value as Record<string, unknown>;
    // An empty text is the one that nothing makes a number of.
    for (const name of names) if (typeof given[name] === 'string' && !/^-?\d+$/.test(given[name])) given[name] = '';
    return validate(value);
  };
  return Object.assign(plainly, { errors: validate.errors });
}

/** Throws VALIDATION_FAILED with one entry for each fault of path, query and body together. */
export function assertValid(checks: readonly (readonly [Validator | null, unknown])[]): void {
  const errors: { pointer: string; message: string }[] = [];
  for (const [validate, value] of checks)
    if (validate && !validate(value)) errors.push(...explainValidationErrors(validate.errors()));
  if (errors.length === 0) return;
  const [first] = errors;
  throw new Fault(
    'VALIDATION_FAILED',
    errors.length === 1
      ? `${first?.pointer === '' ? 'the body' : first?.pointer} ${first?.message}`
      : `the request has ${errors.length} validation errors; see errors`,
    { errors },
  );
}
