import type { MathExpr, Pipe } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { numberOf } from './numbers.ts';
import { badQuery } from './tokens.ts';

/** Operators by what they bind: those of a later row bind more. */
const LEVELS: readonly (readonly string[])[] = [['default'], ['+', '-'], ['*', '/', '%'], ['^']];
/** Whatever goes through an expression calls itself for each. */
const MOST_TERMS = 1000;
/** Functions and how many arguments they take at least and at most. */
export const MATH_FUNCTIONS: Readonly<Record<string, readonly [number, number]>> = {
  abs: [1, 1],
  ceil: [1, 2],
  floor: [1, 2],
  round: [1, 2],
  exp: [1, 1],
  ln: [1, 1],
  max: [1, 20],
  min: [1, 20],
  now: [0, 0],
};

/** What stands behind `math`: `a / b as c, round(d) as e`. */
export function parseMath(cursor: Cursor): Pipe {
  const steps: { expr: MathExpr; as: string }[] = [];
  do {
    const start = cursor.peek();
    const expr = levelAt(cursor, 0);
    const text = cursor.text.slice(start.at, cursor.peek(-1).end);
    steps.push({ expr, as: cursor.word('as') || cursor.isPlainWord() ? cursor.name('a name for the result') : text });
  } while (cursor.sign(','));
  return { kind: 'math', steps };
}

function levelAt(cursor: Cursor, level: number): MathExpr {
  return cursor.deeper(() => {
    const operators = LEVELS[level];
    if (operators === undefined) return operandAt(cursor);
    let left = levelAt(cursor, level + 1);
    for (let terms = 1; ; terms++) {
      const operator = operators.find((text) => (text === 'default' ? cursor.word(text) : cursor.sign(text)));
      if (operator === undefined) return left;
      // Each is a level of its own in what comes of it.
      if (terms > MOST_TERMS) throw badQuery(cursor.peek().at, `more than ${MOST_TERMS} terms in a row`);
      // 2 ^ 3 ^ 2 is 2 ^ (3 ^ 2); the others go from left to right.
      left = { kind: 'call', name: operator, args: [left, levelAt(cursor, operator === '^' ? level : level + 1)] };
    }
  });
}

function operandAt(cursor: Cursor): MathExpr {
  if (cursor.sign('(')) {
    const inner = levelAt(cursor, 0);
    cursor.expect(')', 'at the end of the group');
    return inner;
  }
  if (cursor.sign('-')) return { kind: 'call', name: 'neg', args: [cursor.deeper(() => operandAt(cursor))] };
  const token = cursor.peek();
  const call = token.kind === 'word' && cursor.isSign('(', 1) ? token.text.toLowerCase() : null;
  if (call !== null) {
    const count = Object.hasOwn(MATH_FUNCTIONS, call) ? MATH_FUNCTIONS[call] : undefined;
    if (count === undefined) throw cursor.wrong(`one of the functions ${Object.keys(MATH_FUNCTIONS).join(', ')}`);
    cursor.next();
    cursor.next();
    const args = cursor.upToBrace('between two arguments', () => levelAt(cursor, 0));
    if (args.length < count[0] || args.length > count[1])
      throw badQuery(token.at, `expected ${count[0]} to ${count[1]} arguments of ${call}()`);
    return { kind: 'call', name: call, args };
  }
  if (token.kind === 'quoted' || (token.kind === 'word' && !/^[\d.]/.test(token.text)))
    return { kind: 'field', name: cursor.next().text };
  const text = cursor.next().text;
  if (token.kind !== 'word' || numberOf(text) === null)
    throw badQuery(token.at, `expected a number, a field, a function or "(", got ${JSON.stringify(text)}`);
  return { kind: 'number', text };
}
