import { itemAt } from '../../lib/item-at.ts';
import type { Threshold } from '../../contract/alert-rules.ts';
import type { Reducer } from '../../contract/vocabulary.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What the values of a series come to, oldest first; null: there is none. */
export function reduceSeries(reducer: Reducer, values: readonly number[]): number | null {
  if (reducer === 'count') return values.length;
  if (values.length === 0) return null;
  switch (reducer) {
    case 'last':
      return itemAt(values, values.length - 1);
    case 'sum':
      return sum(values);
    case 'mean':
      return sum(values) / values.length;
    case 'min':
      return values.reduce((least, value) => Math.min(least, value), Infinity);
    case 'max':
      return values.reduce((most, value) => Math.max(most, value), -Infinity);
  }
}

/** True where the value is what the alert is about. What is no number never is. */
export function meetsThreshold({ op, value: bound, upper = bound }: Threshold, value: number | null): boolean {
  if (value === null || Number.isNaN(value)) return false;
  const [low, high] = bound <= upper ? [bound, upper] : [upper, bound];
  switch (op) {
    case 'gt':
      return value > bound;
    case 'ge':
      return value >= bound;
    case 'lt':
      return value < bound;
    case 'le':
      return value <= bound;
    case 'within':
      return value >= low && value <= high;
    case 'outside':
      return value < low || value > high;
  }
}

/** How far a value is beyond the threshold, 0 at it; what lies within two bounds is never further in. */
export function thresholdExcess({ op, value: bound, upper = bound }: Threshold, value: number): number {
  const [low, high] = bound <= upper ? [bound, upper] : [upper, bound];
  switch (op) {
    case 'gt':
    case 'ge':
      return Math.max(0, value - bound);
    case 'lt':
    case 'le':
      return Math.max(0, bound - value);
    case 'within':
      return 0;
    case 'outside':
      return Math.max(0, low - value, value - high);
  }
}
