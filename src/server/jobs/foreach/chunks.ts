import type { TaskFault } from '../../machine/task.ts';

/** Items whose outputs are joined at once; each is looked at once when the last of them has ended. */
export const CHUNK_ITEMS = 250;

/** A list no longer than this has its tasks made as it comes in; longer ones are kept first, in rows of so many items. */
export const CREATED_AT_ONCE = 100;
export const ROW_ITEMS = 50;

export const chunkOf = (item: number): number => Math.floor(item / CHUNK_ITEMS);

/** What stands in the output for an item that failed (contract §4). */
export const failedItemText = (error: Pick<TaskFault, 'code' | 'message'> | null): string =>
  JSON.stringify({ error: { code: error?.code ?? '', message: error?.message ?? '' } });
