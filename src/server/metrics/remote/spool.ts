import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** A batch that waits on disk. */
export interface SpoolBatch {
  readonly id: number;
  /** Points or samples. */
  readonly items: number;
  /** That it takes on disk. */
  readonly bytes: number;
  /** When it was put there, Unix ms. */
  readonly since: number;
}

/**
 * A bounded queue of bodies on their way to a store elsewhere, each a file: `<number>-<items>-<CRC-32>.batch`. A file is there
 * entirely or not at all, so a kill at any time leaves a whole queue.
 */
export interface Spool {
  /** Puts a body at the end. Where there is no room, the oldest go first. Throws where the disk refuses. */
  put(body: Uint8Array, items: number): void;
  first(): SpoolBatch | null;
  /** Null: it cannot be read as it was written, or is gone. */
  read(batch: SpoolBatch): Buffer | null;
  done(batch: SpoolBatch): void;
  readonly items: number;
  readonly bytes: number;
  readonly oldestAt: number | null;
}

const NAME = /^(\d{12})-(\d+)-([0-9a-f]{8})\.batch$/;

/** What a file takes on most file systems: many of the batches are small. */
const BLOCK = 4096;
const onDisk = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

interface Waiting extends SpoolBatch {
  readonly file: string;
  readonly crc: string;
}

/**
 * @param mostBytes above which the oldest batches are dropped; read at each put
 * @param onDropped hears how many items were dropped for want of room
 */
export function openSpool(
  folder: string,
  { mostBytes, now, onDropped }: { mostBytes(): number; now(): number; onDropped(items: number): void },
): Spool {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let items = 0;
  let bytes = 0;
  for (const name of readdirSync(folder).sort()) {
    const [, number, count, crc] = NAME.exec(name) ?? [];
    const file = join(folder, name);
    if (number === undefined || crc === undefined) {
      if (name.endsWith('.tmp')) rmSync(file, { force: true });
      continue;
    }
    const { size, mtimeMs } = statSync(file);
    last = Number(number);
    add({ id: last, items: Number(count), bytes: onDisk(size), since: mtimeMs, file, crc });
  }

  function add(batch: Waiting): void {
    waiting.set(batch.id, batch);
    items += batch.items;
    bytes += batch.bytes;
  }

  const oldest = (): Waiting | null => waiting.values().next().value ?? null;

  function remove(id: number): void {
    const found = waiting.get(id);
    if (!found) return;
    rmSync(found.file, { force: true });
    waiting.delete(id);
    items -= found.items;
    bytes -= found.bytes;
  }

  return {
    put(body, count) {
      for (let first = oldest(); first && bytes + onDisk(body.length) > mostBytes(); first = oldest()) {
        remove(first.id);
        onDropped(first.items);
      }
      const crc = crc32(body).toString(16).padStart(8, '0');
      const id = last + 1;
      const file = join(folder, `${String(id).padStart(12, '0')}-${count}-${crc}.batch`);
      try {
        writeFileSync(`${file}.tmp`, body, { mode: 0o600 });
        renameSync(`${file}.tmp`, file);
      } catch (error) {
        rmSync(`${file}.tmp`, { force: true });
        throw error;
      }
      last = id;
      add({ id, items: count, bytes: onDisk(body.length), since: now(), file, crc });
    },
    first: oldest,
    read(batch) {
      const found = waiting.get(batch.id);
      if (!found) return null;
      try {
        const body = readFileSync(found.file);
        return crc32(body).toString(16).padStart(8, '0') === found.crc ? body : null;
      } catch {
        return null;
      }
    },
    done: ({ id }) => remove(id),
    get items() {
      return items;
    },
    get bytes() {
      return bytes;
    },
    get oldestAt() {
      return oldest()?.since ?? null;
    },
  };
}
