import { isJsonObject, isSameScalar } from './json.ts';

/** One place where two JSON values differ, in an order in which `after` can be made of `before`. */
export interface JsonChange {
  /** Names and indices on the way there; empty: the whole value. */
  readonly path: readonly (string | number)[];
  readonly op: 'added' | 'removed' | 'changed';
  /** Undefined where `op` is `added`. */
  readonly before: unknown;
  /** Undefined where `op` is `removed`. */
  readonly after: unknown;
}

export interface JsonDiff {
  readonly changes: readonly JsonChange[];
  /** False: a limit ended it, and there is more. */
  readonly complete: boolean;
}

export interface DiffLimits {
  /** Changes that are told. */
  readonly changes: number;
  /** Values that are looked at. */
  readonly steps: number;
}

/** Values nested deeper are compared as a whole; far above what the master takes in (`jsonDepth`). */
const DEPTH = 2000;

/**
 * What makes `after` of `before`, path by path. Numbers are exact where `lib/json` parsed them. Of an array, what is alike
 * at its beginning and at its end is left alone, so that one element more or less is told as that, and not as a change of
 * all that follow.
 */
export function jsonDiff(before: unknown, after: unknown, { changes: most, steps }: DiffLimits): JsonDiff {
  const changes: JsonChange[] = [];
  let left = steps;
  const isDone = () => changes.length >= most || left <= 0;
  let cut = false;
  const add = (change: JsonChange) => {
    if (isDone()) cut = true;
    else changes.push(change);
  };

  /** Deep equality that counts its steps; runs out as unequal. */
  function same(a: unknown, b: unknown, depth: number): boolean {
    if (left-- <= 0) {
      cut = true;
      return false;
    }
    if (a === b) return true;
    if (depth > DEPTH) return isSameScalar(a, b);
    if (Array.isArray(a) && Array.isArray(b))
      return a.length === b.length && a.every((value, i) => same(value, b[i], depth + 1));
    if (!isJsonObject(a) || !isJsonObject(b)) return isSameScalar(a, b);
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key], depth + 1))
    );
  }

  function walk(a: unknown, b: unknown, path: readonly (string | number)[]): void {
    if (cut) return;
    if (left-- <= 0) {
      cut = true;
      return;
    }
    if (a === b) return;
    const isDeep = path.length > DEPTH;
    if (!isDeep && Array.isArray(a) && Array.isArray(b)) return arrays(a, b, path);
    if (isDeep || !isJsonObject(a) || !isJsonObject(b)) {
      if (!isSameScalar(a, b)) add({ path, op: 'changed', before: a, after: b });
      return;
    }
    for (const key of Object.keys(a)) {
      if (cut) return;
      if (Object.hasOwn(b, key)) walk(a[key], b[key], [...path, key]);
      else add({ path: [...path, key], op: 'removed', before: a[key], after: undefined });
    }
    for (const key of Object.keys(b))
      if (!cut && !Object.hasOwn(a, key)) add({ path: [...path, key], op: 'added', before: undefined, after: b[key] });
  }

  function arrays(a: readonly unknown[], b: readonly unknown[], path: readonly (string | number)[]): void {
    let from = 0;
    let [endA, endB] = [a.length, b.length];
    if (endA !== endB) {
      while (from < endA && from < endB && same(a[from], b[from], path.length)) from++;
      while (endA > from && endB > from && same(a[endA - 1], b[endB - 1], path.length))
        [endA, endB] = [endA - 1, endB - 1];
    }
    const paired = Math.min(endA, endB);
    for (let i = from; i < paired && !cut; i++) walk(a[i], b[i], [...path, i]);
    // From the last one on, so that each index is right when its turn comes.
    for (let i = endA - 1; i >= paired && !cut; i--)
      add({ path: [...path, i], op: 'removed', before: a[i], after: undefined });
    for (let i = paired; i < endB && !cut; i++)
      add({ path: [...path, i], op: 'added', before: undefined, after: b[i] });
  }

  walk(before, after, []);
  return { changes, complete: !cut };
}

/** A path as people read it: `$.items[2]["odd name"]`. */
export const diffPathText = (path: readonly (string | number)[]): string =>
  `$${path.map((step) => (typeof step === 'number' ? `[${step}]` : /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`)).join('')}`;
