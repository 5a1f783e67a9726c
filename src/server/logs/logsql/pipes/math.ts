import type { MathExpr, PipeOf } from '../../../../lib/logsql/ast.ts';
import { numberOf } from '../../../../lib/logsql/numbers.ts';
import type { Run, Stage } from '../run-context.ts';
import { numberText } from '../stats/accumulator.ts';
import { editStage, type RowEdit } from './edit.ts';

type Value = (row: RowEdit) => number;

/** `math a / b as c`: what is no number is NaN. */
export function mathStage(pipe: PipeOf<'math'>, run: Run): Stage {
  const steps = pipe.steps.map(({ expr, as }) => ({ value: compile(expr, run), as }));
  return editStage({ condition: null }, run, () => (row) => {
    for (const { value, as } of steps) row.set(as, numberText(value(row)));
  });
}

const parsed = (text: string): number => {
  const value = numberOf(text);
  return value === null ? Number.NaN : Number(value);
};

function compile(expr: MathExpr, run: Run): Value {
  if (expr.kind === 'number') {
    const value = parsed(expr.text);
    return () => value;
  }
  if (expr.kind === 'field') return (row) => parsed(row.get(expr.name));
  const [a = () => Number.NaN, b] = expr.args.map((arg) => compile(arg, run));
  const second: Value = b ?? (() => 1);
  switch (expr.name) {
    case '+':
      return (row) => a(row) + second(row);
    case '-':
      return (row) => a(row) - second(row);
    case '*':
      return (row) => a(row) * second(row);
    case '/':
      return (row) => a(row) / second(row);
    case '%':
      return (row) => a(row) % second(row);
    case '^':
      return (row) => a(row) ** second(row);
    case 'default':
      return (row) => {
        const value = a(row);
        return Number.isNaN(value) ? second(row) : value;
      };
    case 'neg':
      return (row) => -a(row);
    case 'now': {
      const now = Number(run.moment.now);
      return () => now;
    }
    case 'abs':
      return (row) => Math.abs(a(row));
    case 'exp':
      return (row) => Math.exp(a(row));
    case 'ln':
      return (row) => Math.log(a(row));
    case 'ceil':
    case 'floor':
    case 'round': {
      const way = Math[expr.name];
      return (row) => {
        const step = second(row);
        const value = way(a(row) / step) * step;
        // 0.1 * 3 is 0.30000000000000004: no more digits than a step has sense for.
        return Number.isInteger(step) ? value : Number(value.toPrecision(12));
      };
    }
    default: {
      const all = expr.args.map((arg) => compile(arg, run));
      const better = expr.name === 'max' ? (x: number, y: number) => x > y : (x: number, y: number) => x < y;
      return (row) =>
        all
          .map((one) => one(row))
          .reduce((best, value) => (Number.isNaN(best) || better(value, best) ? value : best), Number.NaN);
    }
  }
}
