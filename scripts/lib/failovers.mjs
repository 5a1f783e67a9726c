/** Looks at a failover whose time without an owner is not known yet, before it is told without it. */
const GAP_LOOKS = 10;

/**
 * What is to be said of the last failover (`failovers[0]` of `GET /api/v1/cluster`) each time that it is looked at: each once, and the
 * one that was there at first not at all. How long nobody owned the state is known once the new owner has answered, a moment after the rest.
 *
 * @returns {(last: { epoch: number, reason: string, gapMs: number } | undefined, owner: string) => string | null}
 */
export function failoverLines() {
  let told = null;
  let looks = 0;
  return (last, owner) => {
    if (!last || last.epoch === told) return null;
    if (told !== null && last.gapMs === 0 && ++looks < GAP_LOOKS) return null;
    const isFirst = told === null;
    told = last.epoch;
    looks = 0;
    if (isFirst) return null;
    const gap = last.gapMs === 0 ? '' : `, ${(last.gapMs / 1000).toFixed(1)} s without an owner`;
    return `${owner} owns the state now (epoch ${last.epoch}, ${last.reason}${gap}).`;
  };
}
