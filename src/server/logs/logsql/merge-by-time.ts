import { siftDown, siftUp } from './heap.ts';
import type { Block } from '../store/port.ts';
import type { Matcher } from './filter/evaluate.ts';
import { type Cells, everyRow, type Frame, frameOf } from './frame.ts';
import { newRows } from './arrivals.ts';
import { andMask, bitsOf, type Mask, pick } from './mask.ts';
import type { Frames, Run } from './run-context.ts';

/** Rows that leave at once. */
const CHUNK = 1024;

/** The matches of each block, one block after another. */
export function* eachBlock(blocks: Iterable<Block>, matcher: Matcher, run: Run): Frames {
  for (const block of blocks) {
    run.check();
    const frame = matched(block, matcher, run);
    yield frame;
  }
}

/** The same for those who only count rows: frames of as many rows without a field. */
export function* eachCount(blocks: Iterable<Block>, matcher: Matcher, run: Run): Frames {
  for (const block of blocks) {
    run.check();
    const mask = maskOf(block, frameOf(block, null), matcher, run);
    yield countFrame(typeof mask === 'boolean' ? (mask ? block.rows : 0) : bitsOf(mask));
  }
  for (;;) {
    const rows = run.source.helped === undefined ? 0 : run.source.helped();
    yield rows === null ? null : countFrame(rows);
    if (rows !== null) return;
    run.check();
  }
}

const countFrame = (rows: number): Frame | null =>
  rows === 0 ? null : { rows, picked: null, names: [], ordered: false, column: () => null };

function matched(block: Block, matcher: Matcher, run: Run): Frame | null {
  const frame = frameOf(block, null);
  const mask = maskOf(block, frame, matcher, run);
  if (mask === false) return null;
  const picked = pick(mask, block.rows, null);
  return picked?.length === 0 ? null : { ...frame, picked };
}

function maskOf(block: Block, frame: Frame, matcher: Matcher, { options: { arrivals } }: Run): Mask {
  const fresh = arrivals === undefined ? true : newRows(block, arrivals);
  if (typeof fresh === 'boolean') return fresh && matcher(frame, null);
  return andMask(matcher(frame, fresh), fresh);
}

/** Blocks whose columns stay at hand while their rows leave in turns. */
const AT_HAND = 4;

/** The rows of a block that are still to come, `next` the first of them. */
interface BlockCursor {
  readonly frame: Frame;
  /** Columns that are at hand. */
  readonly columns: Map<string, Cells | null>;
  readonly block: Block;
  /** Rows in the order of the block. */
  readonly rows: Uint32Array | null;
  /** Place in `rows` (or row) of the next one. */
  at: number;
}

/**
 * The matches in exact order of time, newest first or oldest first. Blocks come ordered by their newest (or oldest) row,
 * so a row may leave as soon as it is before all that the next block has.
 */
export function* inOrder(blocks: Iterable<Block>, matcher: Matcher, order: 'asc' | 'desc', run: Run): Frames {
  const step = order === 'asc' ? 1 : -1;
  const cursors: BlockCursor[] = [];
  const recent: BlockCursor[] = [];
  for (const block of blocks) {
    run.check();
    if (block.rows === 0) continue;
    yield* framesUntil(cursors, recent, step, order === 'asc' ? block.t0 : block.t1);
    const frame = matched(block, matcher, run);
    if (frame === null) {
      yield null;
      continue;
    }
    const columns = new Map<string, Cells | null>();
    const cursor = {
      frame: remembering(frame, columns),
      columns,
      block,
      rows: frame.picked,
      at: order === 'asc' ? 0 : (frame.picked?.length ?? frame.rows) - 1,
    };
    cursors.push(cursor);
    siftUp(cursors, (a, b) => before(a, b, step) < 0);
  }
  yield* framesUntil(cursors, recent, step, null);
}

/** Of rows in order of time the first `most`, and those of the same instant as the last of them. */
export function* firstByTime(frames: Frames, most: number): Frames {
  let left = most;
  let last: { ms: number; ns: number } | null = null;
  for (const frame of frames) {
    if (frame === null) {
      yield null;
      continue;
    }
    const time = frame.column('_time');
    if (time?.kind !== 'time') throw new Error('rows of a block have no time');
    const { ms: millis, ns: nanos } = time;
    const instant = (row: number) => ({ ms: millis[row] ?? 0, ns: nanos?.[row] ?? 0 });
    const rows = frame.picked ?? everyRow(frame.rows);
    let end = Math.min(left, rows.length);
    left -= end;
    if (left === 0 && end > 0) last = instant(rows[end - 1] ?? 0);
    for (; left === 0 && end < rows.length && last !== null; end++) {
      const { ms, ns } = instant(rows[end] ?? 0);
      if (ms !== last.ms || ns !== last.ns) break;
    }
    if (end > 0) yield { ...frame, picked: rows.subarray(0, end) };
    if (end < rows.length) return;
  }
}

/** The frame with its columns asked for once. */
function remembering(frame: Frame, columns: Map<string, Cells | null>): Frame {
  return {
    ...frame,
    column(name) {
      let cells = columns.get(name);
      if (cells === undefined) columns.set(name, (cells = frame.column(name)));
      return cells;
    },
  };
}

/** The columns of the cursors that were used last stay at hand; those of others are forgotten. */
function keepAtHand(cursor: BlockCursor, recent: BlockCursor[]): void {
  const at = recent.indexOf(cursor);
  if (at >= 0) recent.splice(at, 1);
  recent.push(cursor);
  if (recent.length > AT_HAND) recent.shift()?.columns.clear();
}

const rowOf = (cursor: BlockCursor): number => (cursor.rows === null ? cursor.at : (cursor.rows[cursor.at] ?? 0));

/** Negative: `a` leaves first. Equal times keep the order of blocks and rows. */
function before(a: BlockCursor, b: BlockCursor, step: number): number {
  const x = rowOf(a);
  const y = rowOf(b);
  return (
    step *
    ((a.block.ms[x] ?? 0) - (b.block.ms[y] ?? 0) ||
      (a.block.ns?.[x] ?? 0) - (b.block.ns?.[y] ?? 0) ||
      a.block.id - b.block.id)
  );
}

/** Lets go of all rows that are before `bound`. */
function* framesUntil(
  cursors: BlockCursor[],
  recent: BlockCursor[],
  step: number,
  bound: number | null,
): Generator<Frame> {
  for (;;) {
    const top = cursors[0];
    if (top === undefined || !passes(top, step, bound)) return;
    const second = runnerUp(cursors, step);
    const taken: number[] = [];
    const end = top.rows?.length ?? top.frame.rows;
    do {
      taken.push(rowOf(top));
      top.at += step;
    } while (
      taken.length < CHUNK &&
      top.at >= 0 &&
      top.at < end &&
      passes(top, step, bound) &&
      (second === undefined || before(top, second, step) < 0)
    );
    if (top.at < 0 || top.at >= end) {
      const last = cursors.pop();
      if (last !== undefined && cursors.length > 0) cursors[0] = last;
    }
    siftDown(cursors, (a, b) => before(a, b, step) < 0);
    keepAtHand(top, recent);
    yield { ...top.frame, picked: Uint32Array.from(taken) };
  }
}

const passes = (cursor: BlockCursor, step: number, bound: number | null): boolean =>
  bound === null || step * ((cursor.block.ms[rowOf(cursor)] ?? 0) - bound) < 0;

function runnerUp(cursors: readonly BlockCursor[], step: number): BlockCursor | undefined {
  const [, a, b] = cursors;
  return a === undefined || b === undefined ? a : before(a, b, step) <= 0 ? a : b;
}
