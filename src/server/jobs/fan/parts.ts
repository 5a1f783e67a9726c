import type { TaskFault } from '../../machine/task.ts';

/** Items whose outputs are joined at once; each is looked at once when the last of them has ended. */
export const PART_ITEMS = 250;

export const partOf = (item: number): number => Math.floor(item / PART_ITEMS);

/** What stands in the output for an item that failed (contract §4). */
export const failedSlot = (error: Pick<TaskFault, 'code' | 'message'> | null): string => JSON.stringify({ error: { code: error?.code ?? '', message: error?.message ?? '' } });
