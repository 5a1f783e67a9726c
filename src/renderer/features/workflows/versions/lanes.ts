import type { Commit } from '../../../../contract/workflows.ts';

/** The lines of one row of the history, as `git log --graph` draws them. Lanes count from the left. */
export interface Lanes {
  readonly lane: number;
  /** A line comes in from above on its own lane. */
  readonly above: boolean;
  /** A line goes on below. */
  readonly below: boolean;
  /** Lanes that pass by. */
  readonly past: readonly number[];
  /** Lanes that come in from above and end here: later versions went another way from here. */
  readonly joining: readonly number[];
}

type Placed = Pick<Commit, 'hash' | 'parent' | 'restores'>;

/** What a version builds on: an older one whose content it took up again, else the one before it. */
export const baseVersion = ({ parent, restores }: Placed): string | null => restores ?? parent;

/**
 * Lanes of the newest versions, newest first. A version that was restored from an older one continues that; what was saved
 * between the two stays beside it as a branch that was left.
 */
export function historyLanes(commits: readonly Placed[]): Lanes[] {
  // What each lane waits for, from the left.
  const waiting: (string | null)[] = [];
  return commits.map((commit) => {
    const mine = waiting.flatMap((hash, lane) => (hash === commit.hash ? [lane] : []));
    const free = waiting.indexOf(null);
    const lane = mine[0] ?? (free >= 0 ? free : waiting.length);
    const past = waiting.flatMap((hash, at) => (hash === null || hash === commit.hash ? [] : [at]));
    for (const at of mine) waiting[at] = null;
    const base = baseVersion(commit);
    waiting[lane] = base;
    return { lane, above: mine.length > 0, below: base !== null, past, joining: mine.slice(1) };
  });
}
