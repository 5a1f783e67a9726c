/** Longest share of a back-off that chance may add or take. */
export interface BackoffRule {
  readonly firstSeconds: number;
  readonly mostSeconds: number;
  /** ± share that is random, 0 to 1. */
  readonly jitter: number;
}

/**
 * Milliseconds before the retry that follows attempt `attempt` (1: the first one): doubling from `firstSeconds` to
 * `mostSeconds`, then ± jitter. `random` is in [0, 1). An upstream that asked for more (`Retry-After`) gets it.
 */
export function backoffMs(rule: BackoffRule, attempt: number, random: number, askedSeconds?: number): number {
  const most = Math.max(rule.firstSeconds, rule.mostSeconds);
  const steady = Math.min(rule.firstSeconds * 2 ** Math.min(attempt - 1, 40), most);
  const spread = steady * (1 + rule.jitter * (2 * random - 1));
  return Math.round(Math.max(spread, askedSeconds ?? 0) * 1000);
}
