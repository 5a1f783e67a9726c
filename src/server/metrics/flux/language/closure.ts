import { isBlock, type Expr } from './ast.ts';
import { runtimeError } from './errors.ts';
import { conditions, type Condition } from './conditions.ts';
import { childScope, declare, type Compiler, type Env, type Run, type Scope } from './scope.ts';
import type { Fn, Value } from '../values/values.ts';

/** A function of the program. */
export interface Closure extends Fn {
  /** What it demands of its only parameter, joined by `and`; null: it cannot be taken apart. */
  conditions(): readonly Condition[] | null;
}

export const isClosure = (fn: Fn): fn is Closure => 'conditions' in fn;

export function createClosure(node: Extract<Expr, { kind: 'function' }>, scope: Scope, compiler: Compiler): Run<Value> {
  const inner = childScope(scope);
  const fallbacks = node.params.map(({ fallback }) => (fallback ? compiler.compile(fallback, scope) : null));
  for (const { name, span } of node.params) declare(inner, name, span);
  const run = body(node, inner, compiler);
  // Compiled a second time only where it is asked for: functions within functions would double at every level.
  let parts: ReturnType<typeof conditions> | undefined;
  const pipe = node.params.find((param) => param.pipe)?.name ?? null;
  return (env) => {
    const defaults = fallbacks.map((fallback) => fallback?.(env));
    const known = new Map(node.params.map(({ name }, i) => [name, i]));
    const closure: Closure = {
      kind: 'function',
      name: null,
      pipe,
      params: node.params.map(({ name }, i) =>
        defaults[i] === undefined ? { name } : { name, fallback: defaults[i] },
      ),
      call(args) {
        const values: Value[] = new Array<Value>(node.params.length);
        node.params.forEach(({ name }, i) => {
          const value = args.get(name) ?? (args.has(name) ? null : defaults[i]);
          if (value === undefined) throw runtimeError(`missing required argument ${name}`);
          values[i] = value;
        });
        for (const name of args.keys())
          if (!known.has(name)) throw runtimeError(`found unexpected argument ${name}${expected(node.params)}`);
        return run({ values, parent: env });
      },
      conditions: () =>
        (parts ??= conditions(node, inner, compiler))?.map(({ columns, test, equals }) => ({
          columns,
          test: (row) => test({ values: [row], parent: env }),
          equals: equals && { column: equals.column, values: () => equals.values({ values: [null], parent: env }) },
        })) ?? null,
    };
    return closure;
  };
}

const expected = (params: readonly { name: string }[]): string =>
  params.length === 0 ? ', expected none' : `, expected ${params.map(({ name }) => name).join(', ')}`;

function body(node: Extract<Expr, { kind: 'function' }>, scope: Scope, compiler: Compiler): Run<Value> {
  if (!isBlock(node.body)) return compiler.compile(node.body, scope);
  const steps = node.body.map((one): Run<Value> => {
    const value = compiler.compile(one.value, scope);
    if (one.kind !== 'assign') return value;
    const slot = declare(scope, one.name, one.span);
    return (env) => (env.values[slot] = value(env));
  });
  return (env: Env) => {
    let last: Value = null;
    for (const step of steps) last = step(env);
    return last;
  };
}
