import { itemAt } from '../../../lib/item-at.ts';
import type { JobFilter } from '../../../contract/jobs.ts';
import type { ReadHandle } from '../../store/port.ts';
import { createdRange, valuesOf, type Condition } from './job-filter.ts';
import { BLOCK_JOBS } from '../engine/sql.ts';

/** Oldest and newest creation in each block, learnt once and kept: creation never changes, and deletion only leaves less. */
export interface BlockTimes {
  range(block: number): readonly [from: number, to: number] | undefined;
  /** Takes in what was created since the last call. */
  refresh(): void;
}

export function openBlockTimes(read: ReadHandle): BlockTimes {
  const ranges = new Map<number, [number, number]>();
  let newest = -1;
  return {
    range: (block) => ranges.get(block),
    refresh() {
      // Rows of the last two blocks may have come late.
      const from = Math.max(0, newest - 1) * BLOCK_JOBS;
      const table = newest < 0 ? 'job INDEXED BY job_by_created' : 'job';
      const rows = read
        .query<{ block: number; a: number; z: number }>(
          `SELECT seq / ${BLOCK_JOBS} AS block, min(created_at) AS a, max(created_at) AS z FROM ${table} WHERE seq >= ? GROUP BY 1`,
        )
        .all(from);
      for (const { block, a, z } of rows) {
        ranges.set(block, [a, z]);
        newest = Math.max(newest, block);
      }
    },
  };
}

interface BlockCount {
  block: number;
  n: number;
}

/** How many jobs of each block match, where the filter has nothing but status, workflow, environment and a range of creation. */
export function countBlocks(
  read: ReadHandle,
  times: BlockTimes,
  filter: JobFilter,
  conditions: readonly Condition[],
): BlockCount[] {
  const grouped = conditions.filter(({ column }) => column !== 'created_at');
  const where = grouped.map(({ sql }) => ` AND ${sql}`).join('');
  const values = grouped.flatMap(({ values: own }) => [...own]);
  const blocks = read
    .query<BlockCount>(
      `SELECT block, sum(jobs) AS n FROM job_block WHERE jobs <> 0${where} GROUP BY block ORDER BY block`,
    )
    .all(...values);
  const created = createdRange(filter);
  if (!created) return blocks;
  times.refresh();
  const counted: BlockCount[] = [];
  for (const { block, n } of blocks) {
    const [from, to] = times.range(block) ?? [0, Number.MAX_SAFE_INTEGER];
    if (to < created.from || from > created.to) continue;
    const whole = from >= created.from && to <= created.to;
    counted.push({ block, n: whole ? n : countBlock(read, block, conditions) });
  }
  return counted;
}

const countBlock = (read: ReadHandle, block: number, conditions: readonly Condition[]): number =>
  read
    .query<{ n: number }>(`SELECT count(*) AS n FROM job WHERE seq BETWEEN ? AND ?${tests(conditions)}`)
    .get(block * BLOCK_JOBS, (block + 1) * BLOCK_JOBS - 1, ...valuesOf(conditions))?.n ?? 0;

/** The `seq`s of one page in the order of creation: begins in the block that holds its first. */
export function pageOfBlocks(
  read: ReadHandle,
  blocks: readonly BlockCount[],
  {
    conditions,
    descending,
    offset,
    limit,
  }: { conditions: readonly Condition[]; descending: boolean; offset: number; limit: number },
): number[] {
  const ordered = descending ? blocks.toReversed() : blocks;
  let skip = offset;
  let start = 0;
  for (; start < ordered.length && (ordered[start]?.n ?? 0) <= skip; start++) skip -= ordered[start]?.n ?? 0;
  const first = ordered[start];
  const last = ordered.findLast(({ n }) => n > 0);
  if (!first || !last || limit <= 0) return [];
  const bounds = descending ? [last.block, first.block] : [first.block, last.block];
  const sql = `SELECT seq FROM job WHERE seq BETWEEN ? AND ?${tests(conditions)} ORDER BY seq ${descending ? 'DESC' : 'ASC'} LIMIT ? OFFSET ?`;
  return read
    .query<{ seq: number }>(sql)
    .all(itemAt(bounds, 0) * BLOCK_JOBS, (itemAt(bounds, 1) + 1) * BLOCK_JOBS - 1, ...valuesOf(conditions), limit, skip)
    .map(({ seq }) => seq);
}

/** Out of reach of the planner, which would leave the order of creation. */
const tests = (conditions: readonly Condition[]): string => conditions.map(({ sql }) => ` AND +(${sql})`).join('');
