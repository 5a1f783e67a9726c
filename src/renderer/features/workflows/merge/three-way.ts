import { isJsonObject } from '../../../../lib/json.ts';
import { isJsonEqual } from '../../../ui/json-text/json-equal.ts';

/** What is decided where both sides changed the same. */
export type Side = 'theirs' | 'mine';

/** A place that both sides changed, each in its own way. `undefined`: the side has nothing there. */
export interface Conflict {
  /** Stable: the choice is kept under it. */
  readonly key: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}

/** Gathers conflicts, and takes the chosen side where one was chosen; till then mine. */
export interface ConflictResolver {
  decide(conflict: Conflict): unknown;
}

/** A value that is one thing: who changed it wins, and both are a conflict. */
export function mergeValue(
  key: string,
  base: unknown,
  theirs: unknown,
  mine: unknown,
  judge: ConflictResolver,
): unknown {
  if (isJsonEqual(theirs, mine) || isJsonEqual(base, theirs)) return mine;
  if (isJsonEqual(base, mine)) return theirs;
  return judge.decide({ key, base, theirs, mine });
}

/** An object member by member, `depth` levels deep; what is no object on some side is one thing. */
export function mergeMembers(
  key: string,
  base: unknown,
  theirs: unknown,
  mine: unknown,
  judge: ConflictResolver,
  depth: number,
): unknown {
  if (depth === 0 || !isJsonObject(theirs) || !isJsonObject(mine) || !isJsonObject(base))
    return mergeValue(key, base, theirs, mine, judge);
  const merged: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const value = mergeMembers(`${key}/${name}`, base[name], theirs[name], mine[name], judge, depth - 1);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

/**
 * The order of what is left: mine where they did not move anything, else theirs; what only the other side has follows.
 * `kept`: the keys that the merge leaves.
 */
export function mergeOrder(
  base: readonly string[],
  theirs: readonly string[],
  mine: readonly string[],
  kept: ReadonlySet<string>,
): string[] {
  const [inTheirs, inMine] = [new Set(theirs), new Set(mine)];
  const common = (keys: readonly string[]) => keys.filter((key) => inTheirs.has(key) && inMine.has(key));
  // Where they changed nothing at all, mine stands to the letter; the same where I did not.
  const moved = isJsonEqual(base, mine) || (!isJsonEqual(base, theirs) && !isJsonEqual(common(theirs), common(base)));
  const [first, second] = moved ? [theirs, mine] : [mine, theirs];
  return [...new Set([...first, ...second])].filter((key) => kept.has(key));
}
