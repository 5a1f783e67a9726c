import type { Difference, Differences } from '../../contract/replay.ts';
import { isJsonObject, isSameScalar } from '../../lib/json.ts';

/** Differences that are counted; what lies beyond is not looked at. */
const COUNTED = 10_000;
/** Characters of a path that is told, and of a pattern that may be ignored: keys may be as long as a payload. */
const PATH = 500;

export interface DifferenceLimits {
  /** Differences that are given with their values. */
  readonly items: number;
  /** Paths with `*` for every index that are given. */
  readonly patterns: number;
  /** Longest text of a value. */
  readonly characters: number;
}

/**
 * Where two JSON values (lossless, see `lib/json.ts`) differ, in the order of the first. Lists are compared place by place, so
 * one item that was put in shows as a change of all after it.
 */
export function findDifferences(before: unknown, after: unknown, limits: DifferenceLimits): Differences {
  const items: Difference[] = [];
  const patterns = new Set<string>();
  let total = 0;
  let complete = true;

  function note(path: string, pattern: string, kind: Difference['kind'], was: unknown, is: unknown): void {
    total++;
    if (total > COUNTED) return;
    if (items.length < limits.items)
      items.push({
        path: path.length > PATH ? `${path.slice(0, PATH)}…` : path,
        kind,
        before: kind === 'added' ? null : cut(was, limits.characters),
        after: kind === 'removed' ? null : cut(is, limits.characters),
      });
    if (pattern.length <= PATH && patterns.size < limits.patterns) patterns.add(pattern);
    else if (!patterns.has(pattern)) complete = false;
  }

  const open: { path: string; pattern: string; was: unknown; is: unknown }[] = [
    { path: '', pattern: '', was: before, is: after },
  ];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (total > COUNTED) return { items, patterns: [...patterns], total: COUNTED, complete: false };
    const { path, pattern, was, is } = at;
    const below: typeof open = [];
    if (Array.isArray(was) && Array.isArray(is)) {
      for (let i = 0; i < Math.max(was.length, is.length); i++) {
        if (i >= was.length) note(`${path}/${i}`, `${pattern}/*`, 'added', null, is[i]);
        else if (i >= is.length) note(`${path}/${i}`, `${pattern}/*`, 'removed', was[i], null);
        else below.push({ path: `${path}/${i}`, pattern: `${pattern}/*`, was: was[i], is: is[i] });
      }
    } else if (isJsonObject(was) && isJsonObject(is)) {
      for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
        const step = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        if (!Object.hasOwn(was, key)) note(path + step, pattern + step, 'added', null, is[key]);
        else if (!Object.hasOwn(is, key)) note(path + step, pattern + step, 'removed', was[key], null);
        else below.push({ path: path + step, pattern: pattern + step, was: was[key], is: is[key] });
      }
    } else if (!isSameScalar(was, is)) note(path, pattern, 'changed', was, is);
    // The first is looked at next.
    for (const one of below.reverse()) open.push(one);
  }
  return { items, patterns: [...patterns], total, complete };
}

function cut(value: unknown, most: number): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
