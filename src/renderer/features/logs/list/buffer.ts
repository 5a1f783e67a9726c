import { itemAt } from '../../../../lib/item-at.ts';
import type { LogRecord } from '../../../../contract/logs.ts';
import { type Chunk, type ChunkBuilder, createChunkBuilder, messageAt, recordIn } from './chunk.ts';

/** What is held now. Records are numbered: a number stays with its record, whatever comes before or behind. */
export interface LogSnapshot {
  /** Number of the oldest record that is held. */
  readonly first: number;
  /** Number after the newest. */
  readonly end: number;
  /** Older records that were let go because the bounds were met. */
  readonly dropped: number;
  /** Records that came and were not taken in: too fast for the stream, or with all room held by what is read. */
  readonly missed: number;
}

export interface LogBufferParts {
  /** Records that are held at most, and characters of them. */
  readonly records: number;
  readonly characters: number;
  /** Calls back once before the next drawing; changes in between are one. */
  schedule(run: () => void): void;
}

/** The records of a log view in order of arrival, oldest first, within bounds: the oldest go. One change is told a frame. */
export function createLogBuffer({ records: most, characters: mostCharacters, schedule }: LogBufferParts) {
  /** Sealed, oldest first. */
  const chunks: Chunk[] = [];
  let open: ChunkBuilder = createChunkBuilder(0);
  let characters = 0;
  let dropped = 0;
  let missed = 0;
  let held: number | null = null;
  let told = true;
  const listeners = new Set<() => void>();
  const first = () => chunks[0]?.first ?? open.first;
  const end = () => open.first + open.count;
  let shot: LogSnapshot = { first: 0, end: 0, dropped: 0, missed: 0 };

  function changed() {
    if (!told) return;
    told = false;
    schedule(() => {
      told = true;
      shot = { first: first(), end: end(), dropped, missed };
      for (const listener of listeners) listener();
    });
  }
  function seal() {
    if (open.count > 0) chunks.push(open.sealed());
    open = createChunkBuilder(end(), open);
  }
  /** False where what would have to go is what is being read. */
  function makeRoom(): boolean {
    while (chunks.length > 0 && (end() - first() >= most || characters + open.characters > mostCharacters)) {
      const oldest = itemAt(chunks, 0);
      if (held !== null && held < oldest.first + oldest.count) return false;
      chunks.shift();
      characters -= oldest.characters;
      dropped += oldest.count;
    }
    return true;
  }
  /** The chunk that holds a record; by halves, as there may be hundreds. */
  function chunkAt(number: number): Chunk | null {
    let low = 0;
    let high = chunks.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const chunk = itemAt(chunks, middle);
      if (number < chunk.first) high = middle - 1;
      else if (number >= chunk.first + chunk.count) low = middle + 1;
      else return chunk;
    }
    return null;
  }
  const isHeld = (number: number) => number >= first() && number < end();

  return {
    /** Arriving records, oldest first. */
    push(records: readonly LogRecord[]) {
      for (const [i, record] of records.entries()) {
        if (open.full) {
          characters += open.characters;
          seal();
        }
        if (end() - first() >= most || characters + open.characters > mostCharacters) {
          if (!makeRoom()) {
            missed += records.length - i;
            break;
          }
        }
        open.add(record);
      }
      changed();
    },
    /** A page of older records, newest first, goes before all others. False, and nothing done, where there is no room. */
    addOlder(records: readonly LogRecord[]): boolean {
      if (records.length === 0) return true;
      if (end() - first() + records.length > most) return false;
      let next = first() - records.length;
      const older: Chunk[] = [];
      let builder = createChunkBuilder(next);
      for (let i = records.length - 1; i >= 0; i--) {
        builder.add(itemAt(records, i));
        next++;
        if (!builder.full && i > 0) continue;
        older.push(builder.sealed());
        characters += builder.characters;
        builder = createChunkBuilder(next, builder);
      }
      chunks.unshift(...older);
      changed();
      return true;
    },
    /** Lines that never reached this window. */
    miss(count: number) {
      missed += count;
      changed();
    },
    /** Keeps this record and what is newer while it is read; null: nothing is. */
    hold(number: number | null) {
      held = number;
    },
    has: isHeld,
    /** What is held right now; the snapshot is as old as the last drawing. */
    bounds: () => ({ first: first(), end: end() }),
    message(number: number): string {
      const chunk = chunkAt(number);
      return chunk ? messageAt(chunk, number - chunk.first) : open.message(number - open.first);
    },
    record(number: number): LogRecord {
      const chunk = chunkAt(number);
      return chunk ? recordIn(chunk, number - chunk.first) : open.record(number - open.first);
    },
    ms(number: number): number {
      const chunk = chunkAt(number);
      return chunk ? (chunk.ms[number - chunk.first] ?? 0) : open.ms(number - open.first);
    },
    /** All that is held in chunks, oldest first; the last one may still grow. For searching. */
    *chunks(): Generator<Chunk> {
      for (const chunk of chunks.slice()) yield chunk;
      if (open.count > 0) yield open.sealed();
    },
    /** Sealed chunks alone never change. */
    openFirst: () => open.first,
    snapshot: () => shot,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
export type LogBuffer = ReturnType<typeof createLogBuffer>;
