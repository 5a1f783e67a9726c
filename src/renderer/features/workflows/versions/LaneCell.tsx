import { type ReactNode, useEffect } from 'react';
import classes from './Versions.module.css';
import type { Lanes } from './lanes.ts';

const STEP = 14;
/** Lanes that are drawn apart; what lies further right is drawn on the last. */
const MOST = 6;
/** Pixels of a column with so many lanes. */
export const lanesWidth = (lanes: number): number => 26 + Math.min(Math.max(lanes, 1), MOST) * STEP;
const x = (lane: number): number => 9 + Math.min(lane, MOST - 1) * STEP;
/** A pixel over the edges, where the line between rows is. */
const UP = -1;

/** The lines of one version. `onSeen`: it is drawn and is the last that is known, so that more may be asked for. */
export function LaneCell({
  lanes,
  current,
  onSeen,
}: {
  lanes: Lanes;
  current: boolean;
  onSeen: (() => void) | null;
}): ReactNode {
  useEffect(() => onSeen?.(), [onSeen]);
  const { lane, above, below, past, joining } = lanes;
  return (
    <svg className={classes.lanes} width={x(MOST - 1) + 9} aria-hidden="true">
      {past.map((at) => (
        <line key={at} x1={x(at)} x2={x(at)} y1={UP} y2="100%" data-main={at === 0 || undefined} />
      ))}
      {joining.map((at) => (
        <line key={at} x1={x(at)} x2={x(lane)} y1={UP} y2="50%" />
      ))}
      {above && <line x1={x(lane)} x2={x(lane)} y1={UP} y2="50%" data-main={lane === 0 || undefined} />}
      {below && <line x1={x(lane)} x2={x(lane)} y1="50%" y2="100%" data-main={lane === 0 || undefined} />}
      <circle
        cx={x(lane)}
        cy="50%"
        r={current ? 5.5 : 4}
        data-main={lane === 0 || undefined}
        data-current={current || undefined}
      />
    </svg>
  );
}
