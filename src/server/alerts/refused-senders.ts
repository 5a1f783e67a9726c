import type { PipelineStats } from '../../contract/logs.ts';

/** What the log port refused, by the word that alerts have for it. */
const REASONS = { limit: 'crowded', token: 'unauthorized', http: 'foreign', forged: 'forged' } as const;
type Reason = keyof typeof REASONS;
type Counts = Readonly<Record<(typeof REASONS)[Reason], number>>;

/** What was seen is kept for so long; a rule that looks further back sees this much. */
const KEPT_MS = 15 * 60_000;
/** At most one of these is kept in so long. */
const STEP_MS = 5000;

/** Counts what the log port refused since a time, from its counters as they were seen at each look. */
export function watchRefusedSenders(
  stats: () => Pick<PipelineStats, keyof Counts>,
  now: () => number,
): (from: number) => { reason: string; count: number }[] {
  let seen: { at: number; counts: Counts }[] = [{ at: now(), counts: stats() }];
  return (from) => {
    const [at, counts] = [now(), stats()];
    const since = seen.findLast((one) => one.at <= from) ?? seen[0];
    if (at - (seen.at(-1)?.at ?? 0) >= STEP_MS)
      seen = [...seen.filter((one) => one.at > at - KEPT_MS), { at, counts: { ...counts } }];
    return (Object.keys(REASONS) as Reason[]).map((reason) => ({
      reason,
      count: counts[REASONS[reason]] - (since?.counts[REASONS[reason]] ?? 0),
    }));
  };
}
