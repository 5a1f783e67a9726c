import { isRecord } from '../../lib/is-record.ts';
import { pathNames, type Ast } from './ast.ts';

/** Not decided here: JSONata's evaluator has to be asked. */
export const UNDECIDED: unique symbol = Symbol('undecided');

/** The value of an expression on an input, or `UNDECIDED`. */
export type FastPath = (input: unknown) => unknown;

/**
 * A function for the small expressions that most nodes hold: paths, objects, texts put together, comparisons. The evaluator
 * takes a dozen promises for one of them, this none. It decides only where both agree for certain: wherever a list, a
 * missing value or another type comes in, and JSONata has rules of its own, it is `UNDECIDED`. Null: nothing for this function.
 */
export function compileFastPath(ast: Ast): FastPath | null {
  const evaluate = compile(ast);
  if (evaluate === null) return null;
  return (input) => (isObject(input) ? evaluate(input) : UNDECIDED);
}

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  string: [],
  number: [],
  value: [],
  name: [],
  variable: [],
  path: ['steps'],
  binary: ['lhs', 'rhs'],
  unary: ['lhs', 'expression'],
  condition: ['condition', 'then', 'else'],
  block: ['expressions'],
  function: ['name', 'arguments', 'procedure'],
};

function compile(ast: Ast | undefined): FastPath | null {
  if (ast === undefined) return null;
  const members = MEMBERS[ast.type];
  // Predicates, groups, sorts, a kept array: whatever else a node has changes what it means.
  if (
    members === undefined ||
    Object.keys(ast).some((key) => key !== 'type' && key !== 'value' && key !== 'position' && !members.includes(key))
  )
    return null;
  switch (ast.type) {
    case 'string':
    case 'number':
    case 'value': {
      const { value } = ast;
      return () => value;
    }
    case 'name':
      return path([ast]);
    case 'variable':
      return ast.value === '' || ast.value === '$' ? (input) => input : null;
    case 'path':
      return path(ast.steps ?? []);
    case 'block':
      return ast.expressions?.length === 1 ? compile(ast.expressions[0]) : null;
    case 'condition':
      return condition(ast);
    case 'unary':
      return ast.value === '{' && Array.isArray(ast.lhs) ? object(ast.lhs) : null;
    case 'binary':
      return Array.isArray(ast.lhs) ? null : binary(String(ast.value), compile(ast.lhs), compile(ast.rhs));
    case 'function':
      return call(ast);
    default:
      return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => isRecord(value) && !Object.isFrozen(value);

/** Names, after `$` or `$$` or nothing. Numbers kept raw are frozen, so that nobody looks into them. */
function path(steps: readonly Ast[]): FastPath | null {
  const names = pathNames(steps);
  if (names === null) return null;
  return (input) => {
    let value = input;
    for (const name of names) {
      if (!isObject(value)) return UNDECIDED;
      value = Object.hasOwn(value, name) ? value[name] : undefined;
    }
    return Array.isArray(value) ? UNDECIDED : value;
  };
}

function object(pairs: readonly [Ast, Ast][]): FastPath | null {
  const members: [string, FastPath][] = [];
  for (const [key, value] of pairs) {
    const evaluate = compile(value);
    const name = String(key.value);
    if (evaluate === null || key.type !== 'string' || name === '__proto__' || members.some(([other]) => other === name))
      return null;
    members.push([name, evaluate]);
  }
  return (input) => {
    const made: Record<string, unknown> = {};
    for (const [name, evaluate] of members) {
      const value = evaluate(input);
      if (value === UNDECIDED) return UNDECIDED;
      if (value !== undefined) made[name] = value;
    }
    return made;
  };
}

function condition(ast: Ast): FastPath | null {
  const test = compile(ast.condition);
  const then = compile(ast.then);
  const otherwise = ast.else === undefined ? () => undefined : compile(ast.else);
  if (test === null || then === null || otherwise === null) return null;
  return (input) => {
    const truth = test(input);
    return truth === true ? then(input) : truth === false ? otherwise(input) : UNDECIDED;
  };
}

type Operator = (a: unknown, b: unknown) => unknown;

const numeric =
  (compute: (a: number, b: number) => number): Operator =>
  (a, b) => {
    const result = typeof a === 'number' && typeof b === 'number' ? compute(a, b) : Number.NaN;
    return Number.isFinite(result) ? result : UNDECIDED;
  };
const ordered =
  (compare: (a: number | string, b: number | string) => boolean): Operator =>
  (a, b) =>
    (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string')
      ? compare(a, b)
      : UNDECIDED;
const isPlain = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const OPERATORS: Readonly<Record<string, Operator>> = {
  '+': numeric((a, b) => a + b),
  '-': numeric((a, b) => a - b),
  '*': numeric((a, b) => a * b),
  '/': numeric((a, b) => a / b),
  '<': ordered((a, b) => a < b),
  '<=': ordered((a, b) => a <= b),
  '>': ordered((a, b) => a > b),
  '>=': ordered((a, b) => a >= b),
  '=': (a, b) => (isPlain(a) && isPlain(b) ? a === b : UNDECIDED),
  '!=': (a, b) => (isPlain(a) && isPlain(b) ? a !== b : UNDECIDED),
  and: (a, b) => (typeof a === 'boolean' && typeof b === 'boolean' ? a && b : UNDECIDED),
  or: (a, b) => (typeof a === 'boolean' && typeof b === 'boolean' ? a || b : UNDECIDED),
  '&'(a, b) {
    const left = asText(a);
    const right = asText(b);
    return left === null || right === null ? UNDECIDED : left + right;
  },
};

function binary(name: string, left: FastPath | null, right: FastPath | null): FastPath | null {
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (operator === undefined || left === null || right === null) return null;
  return (input) => operator(left(input), right(input));
}

/** As `&` writes it; null where that is not for certain. */
function asText(value: unknown): string | null {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e15)
    ? String(value)
    : null;
}

const onText =
  (compute: (text: string) => unknown): ((value: unknown) => unknown) =>
  (value) =>
    typeof value === 'string' ? compute(value) : UNDECIDED;
const FUNCTIONS: Readonly<Record<string, (value: unknown) => unknown>> = {
  uppercase: onText((text) => text.toUpperCase()),
  lowercase: onText((text) => text.toLowerCase()),
  string: onText((text) => text),
  exists: (value) => (value === UNDECIDED ? UNDECIDED : value !== undefined),
  not: (value) => (typeof value === 'boolean' ? !value : UNDECIDED),
  boolean: (value) =>
    typeof value === 'boolean'
      ? value
      : typeof value === 'string'
        ? value !== ''
        : typeof value === 'number'
          ? value !== 0
          : UNDECIDED,
};

/** A function of one argument. A name that was bound to another one cannot be met: there is no evaluate form of a bind. */
function call(ast: Ast): FastPath | null {
  const { procedure, arguments: given = [] } = ast;
  if (procedure === undefined) return null;
  const name = String(procedure.value);
  const compute =
    procedure.type === 'variable' && Object.keys(procedure).length <= 3 && Object.hasOwn(FUNCTIONS, name)
      ? FUNCTIONS[name]
      : undefined;
  const argument = compute !== undefined && given.length === 1 ? compile(given[0]) : null;
  if (compute === undefined || argument === null) return null;
  return (input) => compute(argument(input));
}
