import { isArray } from '../values/values.ts';
import { onlyExpression, type Expr } from './ast.ts';
import type { Compiler, Run, Scope } from './scope.ts';
import type { Rec, Value } from '../values/values.ts';

/** One of the conditions that a predicate joins by `and`. */
export interface Condition {
  /** Columns that it looks at; null: it may look at any. */
  readonly columns: ReadonlySet<string> | null;
  test(row: Rec): Value;
  /** Where it says that one column has one of some values. */
  readonly equals: { readonly column: string; values(): readonly Value[] } | null;
}

/** The same before it knows its surroundings. */
interface Part {
  readonly columns: ReadonlySet<string> | null;
  readonly test: Run<Value>;
  readonly equals: { readonly column: string; readonly values: Run<readonly Value[]> } | null;
}

/** Takes a predicate apart so that the store can be asked for the series that it wants, and no others. */
export function conditions(node: Extract<Expr, { kind: 'function' }>, scope: Scope, compiler: Compiler): Part[] | null {
  const row = node.params[0]?.name;
  const whole = onlyExpression(node.body);
  if (row === undefined || node.params.length !== 1 || whole === null) return null;
  return conjuncts(whole).map((one) => {
    const columns = new Set<string>();
    const all = collect(one, row, columns);
    const list = all ? equality(one, row, scope) : null;
    const values = list?.values.map((value) => compiler.compile(value, scope));
    const set = list?.set ? compiler.compile(list.set, scope) : null;
    return {
      columns: all ? columns : null,
      test: compiler.compile(one, scope),
      equals:
        list === null
          ? null
          : {
              column: list.column,
              values: (env) => (set ? asList(set(env)) : (values ?? []).map((value) => value(env))),
            },
    };
  });
}

const asList = (value: Value): readonly Value[] => (isArray(value) ? value : [null]);

function conjuncts(expr: Expr): Expr[] {
  const found: Expr[] = [];
  let at = expr;
  while (at.kind === 'logical' && at.op === 'and') {
    found.push(at.right);
    at = at.left;
  }
  found.push(at);
  return found.reverse().flatMap((one) => (one.kind === 'logical' && one.op === 'and' ? conjuncts(one) : [one]));
}

/** Adds the columns that are read of the row. False where the row goes elsewhere, so that any might be. */
function collect(expr: Expr, row: string, into: Set<string>): boolean {
  const every = (parts: readonly Expr[]) => parts.every((part) => collect(part, row, into));
  switch (expr.kind) {
    case 'name':
      return expr.name !== row;
    case 'member':
      if (expr.of.kind !== 'name' || expr.of.name !== row) return collect(expr.of, row, into);
      into.add(expr.name);
      return true;
    case 'text':
      return every(expr.parts.filter((part) => typeof part !== 'string'));
    case 'array':
      return every(expr.items);
    case 'record':
      return every([...(expr.with ? [expr.with] : []), ...expr.entries.map(({ value }) => value)]);
    case 'index':
      return every([expr.of, expr.at]);
    case 'call':
      return every([expr.callee, ...(expr.piped ? [expr.piped] : []), ...expr.args.map(({ value }) => value)]);
    case 'function':
      return false;
    case 'unary':
      return collect(expr.of, row, into);
    case 'binary':
    case 'logical':
      return every([expr.left, expr.right]);
    case 'if':
      return every([expr.test, expr.yes, expr.no]);
    default:
      return true;
  }
}

/** `r.c == a`, the same several times with `or`, or `contains(value: r.c, set: …)`. */
function equality(expr: Expr, row: string, scope: Scope): { column: string; values: Expr[]; set: Expr | null } | null {
  if (
    expr.kind === 'call' &&
    expr.callee.kind === 'name' &&
    expr.callee.name === 'contains' &&
    isBuiltIn(scope, 'contains') &&
    expr.piped === null &&
    expr.args.length === 2
  ) {
    const value = expr.args.find(({ name }) => name === 'value')?.value;
    const set = expr.args.find(({ name }) => name === 'set')?.value;
    const column = value && columnOf(value, row);
    return column !== undefined && column !== null && set && !mentions(set, row) ? { column, values: [], set } : null;
  }
  const values: Expr[] = [];
  let column: string | null = null;
  let at: Expr | null = expr;
  while (at) {
    const one: Expr = at.kind === 'logical' && at.op === 'or' ? at.right : at;
    at = at.kind === 'logical' && at.op === 'or' ? at.left : null;
    if (one.kind !== 'binary' || one.op !== '==') return null;
    const found = columnOf(one.left, row);
    if (found === null || (column !== null && found !== column) || mentions(one.right, row)) return null;
    column = found;
    values.push(one.right);
  }
  return column === null ? null : { column, values, set: null };
}

const columnOf = (expr: Expr, row: string): string | null =>
  expr.kind === 'member' && expr.of.kind === 'name' && expr.of.name === row ? expr.name : null;

function mentions(expr: Expr, row: string): boolean {
  const columns = new Set<string>();
  return !collect(expr, row, columns) || columns.size > 0;
}

function isBuiltIn(scope: Scope, name: string): boolean {
  for (let s: Scope | null = scope; s; s = s.parent) if (s.slots.has(name)) return s.parent === null;
  return false;
}
