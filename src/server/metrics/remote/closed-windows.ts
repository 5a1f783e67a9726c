/** Values of windows by the columns that they were grouped by. */
export type GroupedWindows = Map<string, { tags: Readonly<Record<string, string>>; windows: Map<number, number> }>;

/** Windows that are over, kept for a moment: a chart that is read again every few seconds asks for the newest ones alone. */
export interface ClosedWindows {
  /** What is known of windows from `from` on, and up to where; null: nothing. */
  known(key: string, from: number, to: number): { to: number; groups: GroupedWindows } | null;
  /** Keeps the windows of an answer that begins at `from`; those that are not over yet are left out. `settled`: no point before it is on its way. */
  keep(key: string, from: number, everyMs: number, settled: number, groups: GroupedWindows): void;
}

/** Points come within this time: a window that ended before is over. */
const LATE_MS = 60_000;
/** Windows are read again after this, so that points that came later still are shown. */
const KEPT_MS = 30_000;
/** Fewer are asked for as quickly as they are looked up. */
const LEAST_WINDOWS = 20;
/** Values of all windows that are kept. */
const MOST_VALUES = 200_000;

interface Entry {
  readonly readAt: number;
  readonly from: number;
  readonly to: number;
  readonly groups: GroupedWindows;
  readonly values: number;
}

export function createClosedWindows(now: () => number): ClosedWindows {
  /** The oldest first. */
  const entries = new Map<string, Entry>();
  let values = 0;

  function drop(key: string): void {
    values -= entries.get(key)?.values ?? 0;
    entries.delete(key);
  }

  return {
    known(key, from, to) {
      const entry = entries.get(key);
      if (!entry) return null;
      if (now() - entry.readAt > KEPT_MS) {
        drop(key);
        return null;
      }
      const end = Math.min(entry.to, to);
      return from < entry.from || from >= end ? null : { to: end, groups: between(entry.groups, from, end) };
    },
    keep(key, from, everyMs, settled, groups) {
      const to = Math.floor(Math.min(now() - LATE_MS, settled) / everyMs) * everyMs;
      const before = entries.get(key);
      drop(key);
      if ((to - from) / everyMs < LEAST_WINDOWS) return;
      const kept = between(groups, from, to);
      let count = 0;
      for (const { windows } of kept.values()) count += windows.size;
      if (count > MOST_VALUES) return;
      // Part of it may be of the answer before: it is as old as that.
      entries.set(key, { readAt: before?.readAt ?? now(), from, to, groups: kept, values: count });
      values += count;
      for (const oldest of entries.keys()) {
        if (values <= MOST_VALUES) break;
        drop(oldest);
      }
    },
  };
}

/** The windows that begin from one time to before another. */
function between(groups: GroupedWindows, from: number, to: number): GroupedWindows {
  const found: GroupedWindows = new Map();
  for (const [key, { tags, windows }] of groups) {
    const part = new Map([...windows].filter(([start]) => start >= from && start < to));
    if (part.size > 0) found.set(key, { tags, windows: part });
  }
  return found;
}
