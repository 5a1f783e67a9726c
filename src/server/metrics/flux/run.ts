import { Fault } from '../../../lib/fault.ts';
import { errorMessage } from '../../../lib/errors.ts';
import type { QueryEnv } from '../store/port.ts';
import { createBudget } from './budget.ts';
import { packages, universe } from './functions/all.ts';
import { compileProgram, createCompiler } from './language/compile.ts';
import type { Context } from './context.ts';
import { encodeError, encodeResult, type Dialect } from './csv.ts';
import { compileError, limitError, runtimeError } from './language/errors.ts';
import { parse } from './language/parse.ts';
import { childScope, type Env } from './language/scope.ts';
import { TextPage } from './text-page.ts';
import type { Stream } from './values/stream.ts';
import { NS_PER_MS } from './values/time.ts';
import { isFn, isStream, MapRec, Time, typeOf, type Value } from './values/values.ts';

export interface FluxQuery {
  readonly text: string;
  readonly dialect: Dialect;
  /** What `now()` is, in nanoseconds since the epoch. */
  readonly now: bigint;
  /** What the program finds in `params`. */
  readonly params: unknown;
}

export interface Result {
  readonly name: string;
  readonly stream: Stream;
}

/** Runs a program up to its results; their tables are made when they are read. Throws FLUX_INVALID, FLUX_RUNTIME, FLUX_LIMIT. */
export function evaluate({ text, now, params }: Omit<FluxQuery, 'dialect'>, env: QueryEnv): Result[] {
  const program = parse(text);
  const results: Result[] = [];
  const yielded = new Set<Stream>();
  let nowOption: (() => bigint) | null = null;
  const budget = createBudget(env);
  const ctx: Context = {
    env,
    budget,
    now: () => nowOption?.() ?? now,
    yields(name, stream) {
      if (results.some((one) => one.name === name))
        throw runtimeError(
          `tried to produce more than one result with the name ${JSON.stringify(name)}: name each with yield(name: …)`,
        );
      yielded.add(stream);
      results.push({ name, stream });
    },
  };

  const root = childScope(null);
  const values: Value[] = [];
  const known = universe(ctx);
  const add = (name: string, value: Value) => {
    root.slots.set(name, values.length);
    values.push(value);
  };
  for (const [name, value] of known) add(name, value);
  if (params !== undefined && params !== null) add('params', fromJson(params));
  const available = packages(ctx, known);
  const imported = childScope(root);
  const importedValues: Value[] = [];
  for (const { path, name, span } of program.imports) {
    const make = Object.hasOwn(available, path) ? available[path] : undefined;
    if (!make) throw compileError(span, `invalid import path ${path}; known are ${Object.keys(available).join(', ')}`);
    imported.slots.set(name, importedValues.length);
    importedValues.push(make());
  }

  const scope = childScope(imported);
  const steps = compileProgram(program, scope, createCompiler(budget), (value, statement) => {
    if (statement.kind === 'expression' && isStream(value) && !yielded.has(value)) ctx.yields('_result', value);
    if (statement.kind === 'assign' && statement.name === 'now' && isFn(value)) nowOption = nowFrom(value);
  });
  const main: Env = { values: [], parent: { values: importedValues, parent: { values, parent: null } } };
  for (const step of steps) step(main);
  if (results.length === 0)
    throw runtimeError(
      'this Flux script returns no streaming data. Consider adding a "yield" or invoking streaming functions directly, without performing an assignment',
    );
  return results;
}

function nowFrom(fn: Extract<Value, { kind: 'function' }>): () => bigint {
  return () => {
    const value = fn.call(new Map());
    if (!(value instanceof Time))
      throw runtimeError(`option now: expected a function that returns a time but found ${typeOf(value)}`);
    return value.ns;
  };
}

/** Whole numbers are ints. */
function fromJson(value: unknown): Value {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean')
    return value ?? null;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(fromJson);
  return new MapRec(new Map(Object.entries(value ?? {}).map(([key, one]) => [key, fromJson(one)])));
}

/**
 * Annotated CSV of all results, in pages. Throws what `evaluate` throws; once a page has gone, a failure is a table at
 * the end instead.
 */
export function* runFlux(
  query: Omit<FluxQuery, 'now'> & { now: bigint | null },
  env: QueryEnv,
): Iterable<Uint8Array<ArrayBuffer>> {
  const page = new TextPage();
  let sent = false;
  try {
    for (const { name, stream } of evaluate({ ...query, now: query.now ?? BigInt(Date.now()) * NS_PER_MS }, env)) {
      for (const _full of encodeResult(name, stream.tables(), query.dialect, page)) {
        yield page.take();
        sent = true;
      }
    }
  } catch (error) {
    const fault = faultOf(error);
    if (!sent) throw fault;
    page.dropRow();
    page.text(encodeError(fault.message, query.dialect));
  }
  if (!page.isEmpty) yield page.take();
}

/** Programs may nest so deep that the stack ends, or make a text too long; the rest are faults of ours. */
function faultOf(error: unknown): Fault {
  if (error instanceof Fault)
    return error.code === 'FLUX_RUNTIME' && !error.message.startsWith('runtime error')
      ? runtimeError(`runtime error: ${error.message}`)
      : error;
  if (error instanceof RangeError) return limitError(`the query asks for too much (${error.message})`);
  return new Fault('INTERNAL', `the query failed: ${errorMessage(error)}`, { cause: error });
}
