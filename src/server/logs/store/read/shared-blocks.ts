import type { BlockRow } from '../files/schema.ts';

/**
 * What a query still has to read of its blocks, so that another thread can read some of them: the one that has the query
 * takes them from the front, the one that helps from the end. All that grows with the blocks is shared memory, so that a message is
 * as small for any number of them.
 */
export interface SharedBlocks {
  /** Pages of rows, which are a part of the result; or only how many there are, which stands in `state`. */
  readonly wanted: 'rows' | 'count';
  /** When the query began, unix ms: what it reads is kept for so long. */
  readonly began: number;
  /** Their `id`s: another file may have the name of one by now. */
  readonly files: readonly string[];
  /** Of each block the number of its file and then `FIELDS`, as doubles. */
  readonly rows: SharedArrayBuffer;
  /** `PLACE`, as 32-bit numbers, and then rows counted, 64 bits. */
  readonly state: SharedArrayBuffer;
}

/** A block's row, and the number of its file. */
export interface SharedRow {
  readonly file: number;
  readonly row: BlockRow;
}

const FIELDS = [
  'id',
  't0',
  't1',
  's0',
  's1',
  'rows',
  'bytes',
  'pieces',
  'hot',
  'born',
] as const satisfies readonly (keyof BlockRow)[];
const WIDTH = FIELDS.length + 1;
/**
 * `taken`: blocks taken from either end, and tries when none was left; `done`: blocks that the helper has read; `left`: it takes
 * no more; `failed`: what it found is not to be used.
 */
const PLACE = { taken: 0, done: 1, left: 2, failed: 3 } as const;
const COUNTED_AT = 16;
/** A thread that waits for the other one looks after its other work so often. */
const WAIT_MS = 5;

/** The thread that helps has ended, or found a block that cannot be read: the query begins anew, alone. */
export class HelpFailed extends Error {}

const placesOf = ({ state }: SharedBlocks): Int32Array => new Int32Array(state, 0, COUNTED_AT / 4);
const counted = ({ state }: SharedBlocks): BigInt64Array => new BigInt64Array(state, COUNTED_AT, 1);
const sizeOf = ({ rows }: SharedBlocks): number => rows.byteLength / 8 / WIDTH;
/** One more is taken, from whichever end: the two never meet, as together they take no more than there are. */
const takes = (shared: SharedBlocks, places: Int32Array): boolean =>
  Atomics.add(places, PLACE.taken, 1) < sizeOf(shared);

export function shareBlocks(
  { wanted, began }: Pick<SharedBlocks, 'wanted' | 'began'>,
  files: readonly string[],
  blocks: readonly SharedRow[],
): SharedBlocks {
  const rows = new SharedArrayBuffer(blocks.length * WIDTH * 8);
  const numbers = new Float64Array(rows);
  blocks.forEach(({ file, row }, i) => numbers.set([file, ...FIELDS.map((field) => row[field])], i * WIDTH));
  return { wanted, began, files, rows, state: new SharedArrayBuffer(COUNTED_AT + 8) };
}

/** The thread that has the query: takes block for block, and learns in the end what the other one counted. */
export interface FrontOfBlocks {
  /** False: none is left. */
  take(): boolean;
  /** Rows that the helper counted in its blocks; null as long as it is at the last of them. Throws `HelpFailed`. */
  helped(): number | null;
}

export function frontOf(shared: SharedBlocks): FrontOfBlocks {
  const places = placesOf(shared);
  let mine = 0;
  return {
    take() {
      const may = takes(shared, places);
      if (may) mine++;
      return may;
    },
    helped() {
      const done = Atomics.load(places, PLACE.done);
      if (Atomics.load(places, PLACE.failed) === 1) throw new HelpFailed('the thread that helps has failed');
      if (done === sizeOf(shared) - mine) return Number(Atomics.load(counted(shared), 0));
      Atomics.wait(places, PLACE.done, done, WAIT_MS);
      return null;
    },
  };
}

/** The blocks that the helper takes, the last first. Each has been read when the next one is asked for. */
export function* endOf(shared: SharedBlocks): Generator<SharedRow> {
  const places = placesOf(shared);
  const numbers = new Float64Array(shared.rows);
  for (let i = sizeOf(shared) - 1; Atomics.load(places, PLACE.left) === 0 && takes(shared, places); i--) {
    const at = i * WIDTH;
    const row = Object.fromEntries(FIELDS.map((field, n) => [field, numbers[at + 1 + n]])) as unknown as BlockRow;
    yield { file: numbers[at] as number, row };
    Atomics.add(places, PLACE.done, 1);
    Atomics.notify(places, PLACE.done);
  }
}

/** The helper found so many rows in the block at hand. */
export const countRows = (shared: SharedBlocks, rows: number): void =>
  void Atomics.add(counted(shared), 0, BigInt(rows));

/** The helper is to take no more blocks: its thread has other work. */
export const leaveBlocks = (shared: SharedBlocks): void => void Atomics.store(placesOf(shared), PLACE.left, 1);

/** What the helper found is not to be used. */
export function failBlocks(shared: SharedBlocks): void {
  const places = placesOf(shared);
  Atomics.store(places, PLACE.failed, 1);
  Atomics.notify(places, PLACE.done);
}

export const haveFailed = (shared: SharedBlocks): boolean => Atomics.load(placesOf(shared), PLACE.failed) === 1;
