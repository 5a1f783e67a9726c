import { USE, type BlockRow } from '../files/schema.ts';
import { dayNumber } from '../time.ts';

/** Rows of a block that is large enough: a query that wants a few lines of it unpacks all. */
export const BLOCK_ROWS = 16_384;
/** Bytes of text of one. */
export const BLOCK_BYTES = 4 * 1024 * 1024;
/** A block has not many more columns: lines of ever new fields would make blocks that take all memory to merge. */
export const BLOCK_FIELDS = 1500;
/** Each column has a place for each row: a block whose lines have few of its many fields has so many, and so many times those of a line. */
const SPARSE_FIELDS = 256;
const SPARSE_TIMES = 64;
/** Whether a block has too many fields for more rows. */
export const isWide = ({
  fields,
  values,
  count,
}: {
  fields: { readonly size: number };
  values: number;
  count: number;
}) => fields.size > SPARSE_FIELDS && (fields.size > BLOCK_FIELDS || fields.size * count > values * SPARSE_TIMES);
/** Blocks of about the same size that are worth being made into one. */
const FAN = 8;
/** A row weighs at least this many bytes. */
const ROW_BYTES = 256;

/** The size of a block in rows of the usual length. */
const weight = ({ rows, bytes }: Pick<BlockRow, 'rows' | 'bytes'>): number => Math.max(rows, bytes / ROW_BYTES);
/** So much stays as it is: two batches of 1 MB, as many senders' are, make it while others are received. */
const full = (BLOCK_ROWS * 3) / 8;
/** Whether a block is as large as merged ones are, so that no merge takes it. */
export const isLarge = (block: Pick<BlockRow, 'rows' | 'bytes'>): boolean => weight(block) >= full;

/**
 * The blocks to merge next: some of one day and about one size, the oldest first, so that each row is written again only a
 * few times in its life; none of `left`. Null: there are none.
 */
export function nextMerge(blocks: readonly BlockRow[], left: ReadonlySet<number>): BlockRow[] | null {
  const groups = new Map<string, { blocks: BlockRow[]; weight: number; rows: number; bytes: number }>();
  for (const block of blocks) {
    const size = weight(block);
    if (block.hot === USE.hot || left.has(block.id) || isLarge(block)) continue;
    const key = `${dayNumber(block.t0)} ${dayNumber(block.t1)} ${Math.floor(Math.log(Math.max(1, size)) / Math.log(FAN))}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { blocks: [], weight: 0, rows: 0, bytes: 0 }));
    if (group.rows + block.rows > BLOCK_ROWS || group.bytes + block.bytes > BLOCK_BYTES) {
      if (group.blocks.length > 1) return group.blocks;
      group = { blocks: [], weight: 0, rows: 0, bytes: 0 };
      groups.set(key, group);
    }
    group.blocks.push(block);
    group.weight += size;
    group.rows += block.rows;
    group.bytes += block.bytes;
  }
  // Enough of a size for one of the next.
  for (const group of groups.values()) if (group.blocks.length >= FAN) return group.blocks;
  return null;
}

/**
 * A block that no merge has taken, and none will, as it is large (of an earlier version) or alone of its size in a file that is
 * `closed`: takes no lines any more. Null: there is none.
 */
export function nextRewrite(
  blocks: Iterable<BlockRow>,
  left: ReadonlySet<number>,
  closed: boolean,
): readonly BlockRow[] | null {
  for (const block of blocks)
    if (block.hot === USE.batch && !left.has(block.id) && (closed || isLarge(block))) return [block];
  return null;
}

/** Whether these are what `nextRewrite` gave. */
export const isRewrite = (blocks: readonly BlockRow[]): boolean => blocks.length === 1 && blocks[0]?.hot === USE.batch;
