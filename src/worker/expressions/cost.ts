import type { Ast } from './ast.ts';

/**
 * Bound of the size of a value, in characters of its JSON: `of` times the size of the context that it is computed in,
 * and `plus` at most besides. A part that occurs twice counts twice, as it will when it is written.
 */
interface Size {
  of: number;
  plus: number;
}

/** An expression is cheap where nothing in it can become larger than this many times its input. */
const GROWTH = 32;
/** And where its own literals make no more than this. */
const GROWN_CHARS = 100_000;
/** Characters of a number or a truth value. */
const SCALAR = 24;
/** Longer ones take long to parse. */
const CHEAP_CHARS = 10_000;

/** What a function gives: a scalar, or the sizes of its arguments times this. All take linear time. */
const FUNCTIONS: Readonly<Record<string, 'scalar' | number>> = {
  length: 'scalar',
  contains: 'scalar',
  number: 'scalar',
  abs: 'scalar',
  floor: 'scalar',
  ceil: 'scalar',
  round: 'scalar',
  sum: 'scalar',
  max: 'scalar',
  min: 'scalar',
  average: 'scalar',
  count: 'scalar',
  boolean: 'scalar',
  not: 'scalar',
  exists: 'scalar',
  type: 'scalar',
  now: 'scalar',
  millis: 'scalar',
  random: 'scalar',
  error: 'scalar',
  assert: 'scalar',
  substring: 1,
  substringBefore: 1,
  substringAfter: 1,
  uppercase: 2,
  lowercase: 2,
  trim: 1,
  append: 1,
  reverse: 1,
  keys: 1,
  lookup: 1,
  merge: 1,
  split: 4,
  string: 6,
  join: 1,
  replace: 1,
};
const SCALAR_OPERATORS = new Set(['+', '-', '*', '/', '%', '=', '!=', '<', '<=', '>', '>=', 'and', 'or', 'in']);
const KNOWN_KEYS = new Set([
  'type',
  'name',
  'value',
  'position',
  'procedure',
  'steps',
  'stages',
  'predicate',
  'arguments',
  'expressions',
  'lhs',
  'rhs',
  'expression',
  'condition',
  'then',
  'else',
  'expr',
  'group',
  'keepArray',
  'keepSingletonArray',
  'consarray',
  'nextFunction',
]);

class TooExpensive extends Error {}
type Scope = ReadonlyMap<string, Size>;

/**
 * True where no single step of an expression takes long or makes much: no functions of its own, no regular expression,
 * no range, no function of more than linear time, and no value that outgrows `GROWTH` times the input (a text put
 * together with itself thirty times over has a billion characters). Between steps the time limit holds.
 */
export function isCheapExpression(ast: Ast, source: string): boolean {
  if (source.length > CHEAP_CHARS) return false;
  try {
    return within(sizeOf(ast, new Map(), true));
  } catch (error) {
    if (error instanceof TooExpensive || error instanceof RangeError) return false;
    throw error;
  }
}

const within = ({ of, plus }: Size): boolean => of <= GROWTH && plus <= GROWN_CHARS;
const scalar: Size = { of: 0, plus: SCALAR };
const sum = (...sizes: Size[]): Size =>
  sizes.reduce((a, b) => ({ of: a.of + b.of, plus: a.plus + b.plus }), { of: 0, plus: 0 });
const larger = (a: Size, b: Size): Size => ({ of: Math.max(a.of, b.of), plus: Math.max(a.plus, b.plus) });
const times = (a: Size, by: number): Size => ({ of: a.of * by, plus: a.plus * by });

/** The value is about to be copied or put together with others: it must be bounded. */
function bounded(size: Size): Size {
  if (!within(size)) throw new TooExpensive();
  return size;
}

/** `top`: the context is the input itself, so what is known of the input holds for the context. */
function sizeOf(ast: Ast | undefined, scope: Map<string, Size>, top: boolean): Size {
  if (ast === undefined) throw new TooExpensive();
  for (const key of Object.keys(ast)) if (!KNOWN_KEYS.has(key)) throw new TooExpensive();
  let size = ownSize(ast, scope, top);
  for (const filter of [...(ast.predicate ?? []), ...(ast.stages ?? [])]) {
    if (filter.type !== 'filter') throw new TooExpensive();
    sizeOf(filter.expr, fromWithin(scope), false);
  }
  if (ast.group !== undefined) size = mapped(size, pairs(ast.group.lhs, fromWithin(scope), false));
  return size;
}

function ownSize(ast: Ast, scope: Map<string, Size>, top: boolean): Size {
  const inner = (child: Ast | undefined) => sizeOf(child, scope, top);
  switch (ast.type) {
    case 'string':
    case 'number':
    case 'value':
      return { of: 0, plus: String(ast.value).length * 2 + 2 };
    case 'name':
    case 'wildcard':
      return { of: 1, plus: 0 };
    case 'variable':
      return variable(String(ast.value), scope, top);
    case 'path':
      return path(ast.steps ?? [], scope, top);
    case 'condition':
      inner(ast.condition);
      return ast.else === undefined ? inner(ast.then) : larger(inner(ast.then), inner(ast.else));
    case 'block':
      return block(ast.expressions ?? [], new Map(scope), top);
    case 'bind': {
      const size = bounded(inner(ast.rhs));
      scope.set(String(operand(ast).value), size);
      return size;
    }
    case 'binary': {
      const sides = [inner(operand(ast)), inner(ast.rhs)] as const;
      if (SCALAR_OPERATORS.has(String(ast.value))) return scalar;
      if (ast.value !== '&') throw new TooExpensive();
      return bounded(sum(...sides));
    }
    case 'unary':
      if (ast.value === '-') return inner(ast.expression) && scalar;
      if (ast.value === '[') return bounded(sum(...(ast.expressions ?? []).map(inner), { of: 0, plus: 2 }));
      if (ast.value === '{') return bounded(pairs(ast.lhs, scope, top));
      throw new TooExpensive();
    case 'function':
      return call(ast, scope, top);
    default:
      throw new TooExpensive();
  }
}

function variable(name: string, scope: Scope, top: boolean): Size {
  if (name === '') return { of: 1, plus: 0 };
  if (name === '$') return top ? { of: 1, plus: 0 } : { of: 0, plus: Infinity };
  const size = scope.get(name);
  if (size === undefined) throw new TooExpensive();
  return size;
}

function block(expressions: Ast[], scope: Map<string, Size>, top: boolean): Size {
  let last: Size = scalar;
  for (const expression of expressions) last = sizeOf(expression, scope, top);
  return last;
}

/** Each step is computed once for each item of the one before. */
function path([first, ...steps]: Ast[], scope: Map<string, Size>, top: boolean): Size {
  if (first === undefined) throw new TooExpensive();
  let size = sizeOf(first, scope, top);
  for (const step of steps) size = mapped(size, sizeOf(step, fromWithin(scope), false));
  return size;
}

/**
 * What is the same for each item counts once for each. There are few items for it to matter: a step that took long for
 * its many items would meet the time limit between two of them.
 */
const mapped = (items: Size, each: Size): Size => {
  if (each.of + each.plus === 0) return { of: 0, plus: 0 };
  return times(items, each.of + Math.max(1, each.plus / SCALAR));
};

/** Inside of a step the context is one item: a variable, seen from there, may be of any size unless it holds none of the input. */
const fromWithin = (scope: Scope): Map<string, Size> =>
  new Map([...scope].map(([name, { of, plus }]) => [name, of === 0 ? { of, plus } : { of: 0, plus: Infinity }]));

function pairs(lhs: Ast['lhs'], scope: Map<string, Size>, top: boolean): Size {
  if (!Array.isArray(lhs)) throw new TooExpensive();
  return sum(...lhs.flat().map((child) => bounded(sizeOf(child, scope, top))), { of: 0, plus: 2 });
}

function call(ast: Ast, scope: Map<string, Size>, top: boolean): Size {
  const { procedure, arguments: given = [] } = ast;
  const name = String(procedure?.value);
  const kind = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (procedure?.type !== 'variable' || kind === undefined || scope.has(name)) throw new TooExpensive();
  // Where an argument is missing, the context may take its place.
  const sizes = bounded(sum({ of: 1, plus: 0 }, ...given.map((argument) => sizeOf(argument, scope, top))));
  if (kind === 'scalar') return scalar;
  const factor =
    (name === 'join' && given.length > 1) || name === 'replace'
      ? kind + literalLength(given.at(name === 'join' ? 1 : 2))
      : kind;
  return bounded(times(sizes, factor));
}

/** What is put between the items of a list, or in the place of each finding, must be a literal: it is put there many times. */
function literalLength(ast: Ast | undefined): number {
  if (ast?.type !== 'string') throw new TooExpensive();
  return String(ast.value).length;
}

/** The left side of an operator or a bind. */
function operand({ lhs }: Ast): Ast {
  if (lhs === undefined || Array.isArray(lhs)) throw new TooExpensive();
  return lhs;
}
