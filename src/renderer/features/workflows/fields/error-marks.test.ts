import { expect, it } from 'vitest';
import { errorMarks } from './error-marks.ts';

const source = 'const order = input.order;\nreturn total(order);\nfunction total(o) {\n  return o.price;\n}';

it('mark the word that code was thrown at, and the calls that led there', () => {
  const marks = errorMarks(source, {
    message: 'TypeError: o is undefined',
    stack: [
      { line: 4, column: 11, function: 'total' },
      { line: 2, column: 8, function: null },
      { line: 99, column: 1, function: null },
    ],
  });
  expect(marks.map(({ from, to, severity }) => [source.slice(from, to), severity])).toEqual([
    ['.price', 'error'],
    ['total', 'info'],
  ]);
  expect(marks.map(({ message }) => message)).toEqual([
    'TypeError: o is undefined',
    'Called here: TypeError: o is undefined',
  ]);
});

it('mark where an expression cannot be read, and a place at the end of a line', () => {
  const [mark] = errorMarks('{ "a": }', { message: 'the expression is not valid JSONata: … (at 8)', stack: [] });
  expect(mark).toMatchObject({ from: 7, to: 8, severity: 'error' });
  const [end] = errorMarks('return (\n1', { message: 'SyntaxError', stack: [{ line: 1, column: 50, function: null }] });
  expect(end).toMatchObject({ from: 8, to: 9 });
  expect(errorMarks('x', { message: 'no place', stack: [] })).toEqual([]);
});
