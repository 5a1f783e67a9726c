/** What became of a batch. */
export interface Ack {
  stored: number;
  skipped: number;
}

/** A sender that tries again does so within seconds, or at its next start: so many batches are remembered, however old they are. */
export const REMEMBERED_BATCHES = 50_000;
/** Those of a file that takes no more lines. */
export const REMEMBERED_BATCHES_OLD = 5000;
