import { itemAt } from '../../../../lib/item-at.ts';
import type { Expr, Program, Statement } from './ast.ts';
import { errorMessage } from '../../../../lib/errors.ts';
import type { Budget } from '../budget.ts';
import { createClosure } from './closure.ts';
import { compileError, limitError, located, runtimeError } from './errors.ts';
import { arithmetic, compare, negate, truth } from './operators.ts';
import { createRegex } from './regex.ts';
import { declare, resolve, type Compiler, type Run, type Scope } from './scope.ts';
import { formatDuration, formatTime, inRange, parseDuration, parseTime } from '../values/time.ts';
import { Duration, isFn, isRec, MapRec, RegexValue, Time, typeOf, UInt, type Value } from '../values/values.ts';

/** Depth of the compiled program and of its calls: more would exhaust the stack. */
const DEPTH = 1500;
const CALLS = 200;

export const createCompiler = (budget: Budget): Compiler => {
  const compiler: Compiler = { budget, depth: 0, calls: 0, compile: (expr, scope) => compile(expr, scope, compiler) };
  return compiler;
};

/** Makes the statements of a program into steps that fill `env`. `emit` hears what expressions and options gave. */
export function compileProgram(
  program: Program,
  scope: Scope,
  compiler: Compiler,
  emit: (value: Value, statement: Statement) => void,
): Run<void>[] {
  return program.body.map((one) => {
    const value = compile(
      one.kind === 'assign' && one.member !== null
        ? {
            kind: 'record',
            with: { kind: 'name', name: one.name, span: one.span },
            entries: [{ key: one.member, value: one.value }],
            span: one.span,
          }
        : one.value,
      scope,
      compiler,
    );
    if (one.kind !== 'assign') return (env) => emit(value(env), one);
    const slot = declare(scope, one.name, one.span, one.option);
    return (env) => {
      const made = value(env);
      env.values[slot] = made;
      if (one.option) emit(made, one);
    };
  });
}

function compile(expr: Expr, scope: Scope, compiler: Compiler): Run<Value> {
  if (++compiler.depth > DEPTH) throw compileError(expr.span, `the program is nested more than ${DEPTH} deep`);
  try {
    return compiled(expr, scope, compiler);
  } finally {
    compiler.depth--;
  }
}

function compiled(expr: Expr, scope: Scope, compiler: Compiler): Run<Value> {
  const sub = (one: Expr) => compile(one, scope, compiler);
  switch (expr.kind) {
    case 'int':
    case 'float':
    case 'duration':
    case 'time':
    case 'regex':
    case 'string': {
      const value = literal(expr);
      return () => value;
    }
    case 'text': {
      const parts = expr.parts.map((part) => (typeof part === 'string' ? () => part : sub(part)));
      return (env) => parts.reduce<Value>((text, part) => arithmetic('+', text, shownIn(part(env))), '');
    }
    case 'name':
      return resolve(scope, expr.name, expr.span);
    case 'array': {
      const items = expr.items.map(sub);
      return (env) => items.map((item) => item(env));
    }
    case 'record':
      return record(expr, sub);
    case 'member': {
      const of = sub(expr.of);
      const { name, span } = expr;
      return (env) => {
        const value = of(env);
        // What a table lacks is null to the rows of that table.
        if (isRec(value)) return value.get(name) ?? null;
        throw located(runtimeError(`type error: ${typeOf(value)} has no property ${name}`), span, null);
      };
    }
    case 'index': {
      const of = sub(expr.of);
      const at = sub(expr.at);
      return (env) => {
        const value = of(env);
        const index = at(env);
        if (isRec(value) && typeof index === 'string') return value.get(index) ?? null;
        if (!Array.isArray(value) || typeof index !== 'bigint')
          throw located(runtimeError(`type error: ${typeOf(value)} has no element ${typeOf(index)}`), expr.span, null);
        if (index < 0n || index >= BigInt(value.length))
          throw located(runtimeError(`index ${index} is outside an array of ${value.length}`), expr.span, null);
        return itemAt(value, Number(index));
      };
    }
    case 'call':
      return call(expr, sub, compiler);
    case 'function':
      return createClosure(expr, scope, compiler);
    case 'unary': {
      const of = sub(expr.of);
      if (expr.op === 'exists') return (env) => of(env) !== null;
      if (expr.op === 'not') {
        return (env) => {
          const value = truth(of(env), 'not');
          return value === null ? null : !value;
        };
      }
      return expr.op === '-' ? (env) => negate(of(env)) : of;
    }
    case 'binary': {
      const left = sub(expr.left);
      const right = sub(expr.right);
      const { op } = expr;
      const run = '+-*/%^'.includes(op) ? arithmetic : compare;
      return (env) => {
        try {
          return run(op, left(env), right(env));
        } catch (error) {
          throw located(error, expr.span, null);
        }
      };
    }
    case 'logical': {
      const left = sub(expr.left);
      const right = sub(expr.right);
      // `and` is settled by false, `or` by true; null is neither.
      const settles = expr.op === 'or';
      return (env) => {
        const a = truth(left(env), expr.op);
        if (a === settles) return a;
        const b = truth(right(env), expr.op);
        return b === settles ? b : a === null || b === null ? null : b;
      };
    }
    case 'if': {
      const test = sub(expr.test);
      const yes = sub(expr.yes);
      const no = sub(expr.no);
      return (env) => (truth(test(env), 'if') === true ? yes(env) : no(env));
    }
  }
}

function literal(expr: Extract<Expr, { kind: 'int' | 'float' | 'duration' | 'time' | 'regex' | 'string' }>): Value {
  if (expr.kind === 'string') return expr.value;
  const { text, span } = expr;
  switch (expr.kind) {
    case 'int': {
      const value = BigInt(text);
      if (!inRange(value)) throw compileError(span, `${text} is beyond 64 bits`);
      return value;
    }
    case 'float':
      return Number(text);
    case 'duration': {
      const value = parseDuration(text);
      if (!value) throw compileError(span, `${text} is no duration`);
      return value;
    }
    case 'time': {
      const value = parseTime(text);
      if (value === null) throw compileError(span, `${text} is no time`);
      return new Time(value);
    }
    default:
      try {
        return new RegexValue(createRegex(text));
      } catch (error) {
        throw compileError(span, errorMessage(error));
      }
  }
}

function record(expr: Extract<Expr, { kind: 'record' }>, sub: (one: Expr) => Run<Value>): Run<Value> {
  const base = expr.with ? sub(expr.with) : null;
  const entries = expr.entries.map(({ key, value }) => [key, sub(value)] as const);
  return (env) => {
    const map = new Map<string, Value>();
    const from = base?.(env);
    if (from !== undefined) {
      if (!isRec(from))
        throw located(runtimeError(`type error: with needs a record, got ${typeOf(from)}`), expr.span, null);
      from.each((key, value) => map.set(key, value));
    }
    for (const [key, value] of entries) map.set(key, value(env));
    return new MapRec(map);
  };
}

function call(expr: Extract<Expr, { kind: 'call' }>, sub: (one: Expr) => Run<Value>, compiler: Compiler): Run<Value> {
  const callee = sub(expr.callee);
  const piped = expr.piped ? sub(expr.piped) : null;
  const args = expr.args.map(({ name, value }) => [name, sub(value)] as const);
  const { span } = expr;
  return (env) => {
    const fn = callee(env);
    if (!isFn(fn)) throw compileError(span, `expected a function, got ${typeOf(fn)}`);
    const given = new Map<string, Value>();
    if (piped) {
      if (fn.pipe === null) throw compileError(span, `${fn.name ?? 'the function'} accepts no piped input`);
      given.set(fn.pipe, piped(env));
    }
    for (const [name, value] of args) given.set(name, value(env));
    compiler.budget.tick();
    if (compiler.calls > CALLS) throw limitError(`functions call each other more than ${CALLS} deep`);
    compiler.calls++;
    try {
      return fn.call(given);
    } catch (error) {
      throw located(error, span, fn.name);
    } finally {
      compiler.calls--;
    }
  };
}

/** Interpolated as `string(v:)` would say it. */
function shownIn(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof UInt) return String(value.value);
  if (value instanceof Time) return formatTime(value.ns);
  if (value instanceof Duration) return formatDuration(value);
  throw runtimeError(`type error: a string cannot contain ${typeOf(value)}`);
}
