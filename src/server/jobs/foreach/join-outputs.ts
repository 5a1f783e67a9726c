import { damageIn, sumOf } from '../../store/whole.ts';
import { flushTasks } from '../engine/transaction.ts';
import * as sql from './sql.ts';
import type { ForeachRecord } from '../engine/records.ts';
import type { Transaction } from '../engine/port.ts';
import type { AttemptFailure } from '../../state-machines/task.ts';

/** A list no longer than this is joined when its last item has ended; of longer ones, parts are joined as they end. */
const JOINED_AT_ONCE = 1000;

const isChunked = ({ total }: ForeachRecord): boolean => (total ?? 0) > JOINED_AT_ONCE;

/** Counts the items that ended in this turn, and joins the parts of which all have. */
export function joinChunks(tx: Transaction, foreach: ForeachRecord): void {
  if (foreach.ended.size === 0) return;
  const { job, replica, node } = foreach;
  if (isChunked(foreach)) {
    for (const [part, by] of foreach.ended) {
      if (by !== 0) tx.db.statement(sql.ADD_TO_CHUNK).run(job.seq, replica, node, part, by);
      const first = part * CHUNK_ITEMS;
      const last = Math.min(first + CHUNK_ITEMS, foreach.total ?? 0);
      if (tx.db.query<{ ended: number }>(sql.CHUNK).get(job.seq, replica, node, part)?.ended !== last - first) continue;
      const texts = textsOf(tx, foreach, first, last);
      tx.db.statement(sql.JOIN_CHUNK).run(texts, sumOf(texts), job.seq, replica, node, part);
    }
  }
  foreach.ended = new Map();
}

/** The output of a forEach all of whose items have ended: a JSON array in the order of the list, or the mark of what of it is damaged. */
export function joinedOutput(tx: Transaction, foreach: ForeachRecord): string {
  const texts = isChunked(foreach)
    ? joined(
        tx.db
          .query<{ outputs: string }>(sql.CHUNKS)
          .all(foreach.job.seq, foreach.replica, foreach.node)
          .map(({ outputs }) => outputs),
      )
    : textsOf(tx, foreach, 0, foreach.total ?? 0);
  return damageIn(texts) === null ? `[${texts}]` : texts;
}

interface EndRow {
  state: string;
  text: string | null;
  error_code: string | null;
  error_message: string | null;
}

function textsOf(tx: Transaction, { job, replica, node }: ForeachRecord, first: number, end: number): string {
  flushTasks(tx, job);
  const rows = tx.db.query<EndRow>(sql.ITEM_RESULTS).all(job.seq, replica, first, end, node);
  return joined(
    rows.map((row) =>
      row.state === 'COMPLETED'
        ? (row.text ?? 'null')
        : failedItemText({ code: row.error_code ?? '', message: row.error_message ?? '' }),
    ),
  );
}

/** What is made of something damaged is damaged. */
const joined = (texts: readonly string[]): string => texts.find((text) => damageIn(text) !== null) ?? texts.join(',');

/** Items whose outputs are joined at once; each is looked at once when the last of them has ended. */
export const CHUNK_ITEMS = 250;

export const chunkOf = (item: number): number => Math.floor(item / CHUNK_ITEMS);

/** What stands in the output for an item that failed. */
export const failedItemText = (error: Pick<AttemptFailure, 'code' | 'message'> | null): string =>
  JSON.stringify({ error: { code: error?.code ?? '', message: error?.message ?? '' } });
