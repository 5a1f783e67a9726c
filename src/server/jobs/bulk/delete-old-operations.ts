import type { Limits } from '../../../contract/limits.ts';
import type { Store } from '../../store/port.ts';
import * as sql from './sql.ts';

/** Results that one transaction deletes. */
const ROWS = 500;
const DAY_MS = 86_400_000;

/** Deletes operations that ended long ago, and the oldest beyond the number that is kept; in small steps. */
export async function deleteOldOperations(
  store: Store,
  {
    operationRetentionDays,
    operationRetentionCount,
  }: Readonly<Pick<Limits, 'operationRetentionDays' | 'operationRetentionCount'>>,
  now: number,
): Promise<void> {
  for (;;) {
    const outdated =
      operationRetentionDays > 0
        ? store.read.query<{ seq: number }>(sql.OUTDATED_OPERATION).get(now - operationRetentionDays * DAY_MS)
        : undefined;
    const found = outdated ?? store.read.query<{ seq: number }>(sql.SURPLUS_OPERATION).get(operationRetentionCount);
    if (!found) return;
    const { seq } = found;
    while ((await store.write((db) => db.statement(sql.DELETE_RESULTS).run(seq, seq, ROWS))) > 0);
    while ((await store.write((db) => db.statement(sql.DELETE_CHUNKS).run(seq, ROWS))) > 0);
    await store.write((db) => db.statement(sql.DELETE_OPERATION).run(seq));
  }
}
