import type { Expr } from './ast.ts';
import type { Budget } from '../budget.ts';
import { compileError, type Span } from './errors.ts';
import type { Value } from '../values/values.ts';

/** Values of the variables of one call. */
export interface Env {
  readonly values: Value[];
  readonly parent: Env | null;
}

/** A compiled piece of program. */
export type Run<T> = (env: Env) => T;

/** What the pieces of one program share. */
export interface Compiler {
  readonly budget: Budget;
  /** Expressions open around the one that is compiled, and calls around the one that runs. */
  depth: number;
  calls: number;
  compile(expr: Expr, scope: Scope): Run<Value>;
}

/** Names known at a place of the program. Every name is resolved before anything runs. */
export interface Scope {
  readonly slots: Map<string, number>;
  /** Names that the program may set again with `option`. */
  readonly options: Set<string>;
  readonly parent: Scope | null;
}

export const childScope = (parent: Scope | null): Scope => ({ slots: new Map(), options: new Set(), parent });

/** The slot of a new variable. Throws FLUX_INVALID where the name is taken in this very scope. */
export function declare(scope: Scope, name: string, span: Span, option = false): number {
  const taken = scope.slots.get(name);
  if (taken !== undefined) {
    if (option || scope.options.has(name)) return taken;
    throw compileError(span, `variable ${JSON.stringify(name)} reassigned`);
  }
  if (option) scope.options.add(name);
  scope.slots.set(name, scope.slots.size);
  return scope.slots.size - 1;
}

export function resolve(scope: Scope, name: string, span: Span): Run<Value> {
  let up = 0;
  for (let s: Scope | null = scope; s; s = s.parent, up++) {
    const slot = s.slots.get(name);
    if (slot === undefined) continue;
    if (up === 0) return (env) => env.values[slot] ?? null;
    if (up === 1) return (env) => env.parent?.values[slot] ?? null;
    const levels = up;
    return (env) => {
      let at: Env | null = env;
      for (let i = 0; i < levels && at; i++) at = at.parent;
      return at?.values[slot] ?? null;
    };
  }
  throw compileError(span, `undefined identifier ${name}`);
}
