/** Looks at a failover whose time without an owner is not known yet, before it is told without it. */
const GAP_LOOKS = 10;

/**
 * What is to be said of the last failover (`failovers[0]` of `GET /api/v1/cluster`) each time that it is looked at: each once, and only
 * those after `known`, the epoch that was told otherwise. How long nobody owned the state is known once the new owner has answered, a
 * moment after the rest.
 *
 * @param {number} known
 * @returns {(last: { epoch: number, reason: string, gapMs: number } | undefined, owner: string) => string | null}
 */
export function failoverLines(known) {
  let told = known;
  let looks = 0;
  return (last, owner) => {
    if (!last || last.epoch <= told) return null;
    if (last.gapMs === 0 && ++looks < GAP_LOOKS) return null;
    told = last.epoch;
    looks = 0;
    const gap = last.gapMs === 0 ? '' : `, ${(last.gapMs / 1000).toFixed(1)} s without an owner`;
    return `${owner} owns the state now (epoch ${last.epoch}, ${last.reason}${gap}).`;
  };
}
