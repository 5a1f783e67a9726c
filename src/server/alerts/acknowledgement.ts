import type { Threshold } from '../../contract/alert-rules.ts';
import type { Alert } from '../../contract/alerts.ts';
import { iso } from '../../lib/clock.ts';
import { thresholdExcess } from './reduce.ts';

/** Somebody looks after an alert that fires: its messages are not repeated. */
export interface Acknowledgement {
  /** Milliseconds. */
  readonly at: number;
  readonly by: string;
  /** Empty: none. */
  readonly note: string;
  /** Of the alert, when it was acknowledged. */
  readonly value: number | null;
  /** When it became so much worse that people are told anew, and the acknowledgement no longer counts. */
  readonly worseAt: number | null;
}

/** Twice as far beyond the threshold as when it was acknowledged. */
const WORSE = 2;

export const isWorse = (threshold: Threshold, then: number | null, now: number | null): boolean =>
  then !== null && now !== null && thresholdExcess(threshold, now) > WORSE * thresholdExcess(threshold, then);

export const acknowledgementView = (ack: Acknowledgement | null): NonNullable<Alert['acknowledged']> | null =>
  ack === null || ack.worseAt !== null ? null : { at: iso(ack.at), by: ack.by, note: ack.note };
