import type { LogBatch } from '../port.ts';

/** Batches that are written in one transaction, in blocks that no other lines are in. */
export interface Turn {
  readonly batches: number;
  /** Of their lines as JSON. */
  readonly bytes: number;
}

/** Batches that came together share a transaction, up to so many bytes: about as much as a block holds. */
const TOGETHER_BYTES = 4 * 1024 * 1024;
/** So much becomes a block that stays. Less is merged later, which takes half as much work again as writing it. */
const WHOLE_BYTES = 1.75 * 1024 * 1024;
/** After a turn of less, what comes next is little too. */
const BUSY_BYTES = 1024 * 1024;
const LINGER_MS = 20;
/** Who was answered longer ago sends nothing for now. */
const RECENT_MS = 300;

/** How many of the batches that wait are written in one turn. */
export function turnOf(waiting: readonly { readonly batch: Pick<LogBatch, 'ndjson'> }[]): Turn {
  let batches = 0;
  let bytes = 0;
  for (const { batch } of waiting) {
    if (batches > 0 && bytes + batch.ndjson.length > TOGETHER_BYTES) break;
    batches++;
    bytes += batch.ndjson.length;
  }
  return { batches, bytes };
}

/** Whether it makes a block that stays. */
export const isWhole = ({ bytes }: Turn): boolean => bytes >= WHOLE_BYTES;
/** Whether several send much, so that more follows at once. `sinceMs`: how long ago the last turn was. */
export const isBusy = (last: Turn, sinceMs: number): boolean =>
  last.batches > 1 && last.bytes >= BUSY_BYTES && sinceMs < RECENT_MS;

/**
 * How long what waits may wait for more, in ms. Senders that were answered together send their next batches together: the first of
 * them waits for the others. One sender alone does not wait.
 */
export const lingerMs = (last: Turn, waitingBytes: number, sinceMs: number): number =>
  isBusy(last, sinceMs) && waitingBytes < WHOLE_BYTES ? LINGER_MS : 0;
