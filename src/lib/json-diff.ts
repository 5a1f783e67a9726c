import { isRawNumber } from './json.ts';

/** One place where two JSON values differ, in the order in which `applyDiff` takes them. */
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
    const kind = kindOf(a);
    if (kind !== kindOf(b) || kind === 'scalar' || depth > DEPTH) return isSameScalar(a, b);
    if (kind === 'array')
      return (
        (a as unknown[]).length === (b as unknown[]).length &&
        (a as unknown[]).every((value, i) => same(value, (b as unknown[])[i], depth + 1))
      );
    const [one, other] = [a as Named, b as Named];
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key], depth + 1))
    );
  }

  function walk(a: unknown, b: unknown, path: readonly (string | number)[]): void {
    if (cut) return;
    if (left-- <= 0) {
      cut = true;
      return;
    }
    if (a === b) return;
    const kind = kindOf(a);
    if (kind !== kindOf(b) || kind === 'scalar' || path.length > DEPTH) {
      if (!isSameScalar(a, b)) add({ path, op: 'changed', before: a, after: b });
      return;
    }
    if (kind === 'array') return arrays(a as unknown[], b as unknown[], path);
    const [one, other] = [a as Named, b as Named];
    for (const key of Object.keys(one)) {
      if (cut) return;
      if (Object.hasOwn(other, key)) walk(one[key], other[key], [...path, key]);
      else add({ path: [...path, key], op: 'removed', before: one[key], after: undefined });
    }
    for (const key of Object.keys(other))
      if (!cut && !Object.hasOwn(one, key))
        add({ path: [...path, key], op: 'added', before: undefined, after: other[key] });
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

type Named = Record<string, unknown>;

const kindOf = (value: unknown): 'array' | 'object' | 'scalar' =>
  Array.isArray(value)
    ? 'array'
    : value !== null && typeof value === 'object' && !isRawNumber(value)
      ? 'object'
      : 'scalar';
const isSameScalar = (a: unknown, b: unknown): boolean =>
  a === b || (isRawNumber(a) && isRawNumber(b) && a.rawJSON === b.rawJSON);

/** Makes `after` of `before` from a complete difference; `before` stays as it is. */
export function applyDiff(before: unknown, changes: readonly JsonChange[]): unknown {
  let root = copy(before);
  for (const { path, op, after } of changes) {
    const last = path.at(-1);
    if (last === undefined) {
      root = copy(after);
      continue;
    }
    let at = root;
    for (const step of path.slice(0, -1)) at = (at as Named)[step as string];
    if (Array.isArray(at) && op !== 'changed')
      at.splice(last as number, op === 'removed' ? 1 : 0, ...(op === 'added' ? [copy(after)] : []));
    else if (op === 'removed') delete (at as Named)[last];
    else put(at as Named, last, copy(after));
  }
  return root;
}

/** `__proto__` is a name like any other. */
const put = (holder: Named, key: string | number, value: unknown): void =>
  void Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (kindOf(value) === 'scalar') return value;
  const made: Named = {};
  for (const [key, inner] of Object.entries(value as Named)) put(made, key, copy(inner));
  return made;
}

/** A path as people read it: `$.items[2]["odd name"]`. */
export const diffPathText = (path: readonly (string | number)[]): string =>
  `$${path.map((step) => (typeof step === 'number' ? `[${step}]` : /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`)).join('')}`;
