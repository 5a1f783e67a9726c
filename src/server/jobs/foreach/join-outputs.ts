import { flushTasks } from '../engine/flush.ts';
import type { Unit } from '../engine/transaction.ts';
import { failedSlot, PART_ITEMS } from './chunks.ts';
import type { Fan } from './records.ts';
import * as sql from './sql.ts';

/** A list no longer than this is joined when its last item has ended; of longer ones, parts are joined as they end. */
const JOINED_AT_ONCE = 1000;

const isParted = ({ total }: Fan): boolean => (total ?? 0) > JOINED_AT_ONCE;

/** Counts the items that ended in this turn, and joins the parts of which all have. */
export function joinParts(unit: Unit, fan: Fan): void {
  if (fan.ended.size === 0) return;
  const { job, replica, node } = fan;
  if (isParted(fan)) {
    for (const [part, by] of fan.ended) {
      if (by !== 0) unit.db.statement(sql.ADD_TO_PART).run(job.seq, replica, node, part, by);
      const first = part * PART_ITEMS;
      const last = Math.min(first + PART_ITEMS, fan.total ?? 0);
      if (unit.db.query<{ ended: number }>(sql.PART).get(job.seq, replica, node, part)?.ended !== last - first)
        continue;
      unit.db.statement(sql.JOIN_PART).run(textsOf(unit, fan, first, last), job.seq, replica, node, part);
    }
  }
  fan.ended = new Map();
}

/** The output of a fan-out all of whose items have ended: a JSON array in the order of the list. */
export function joinedOutput(unit: Unit, fan: Fan): string {
  if (!isParted(fan)) return `[${textsOf(unit, fan, 0, fan.total ?? 0)}]`;
  return `[${unit.db
    .query<{ outputs: string }>(sql.PARTS)
    .all(fan.job.seq, fan.replica, fan.node)
    .map(({ outputs }) => outputs)
    .join(',')}]`;
}

interface EndRow {
  state: string;
  text: string | null;
  error_code: string | null;
  error_message: string | null;
}

function textsOf(unit: Unit, { job, replica, node }: Fan, first: number, end: number): string {
  flushTasks(unit, job);
  const rows = unit.db.query<EndRow>(sql.ENDS_OF_ITEMS).all(job.seq, replica, first, end, node);
  return rows
    .map((row) =>
      row.state === 'COMPLETED'
        ? (row.text ?? 'null')
        : failedSlot({ code: row.error_code ?? '', message: row.error_message ?? '' }),
    )
    .join(',');
}
