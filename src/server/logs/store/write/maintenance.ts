import { dayOfFile, isFull, USE, type BlockRow } from '../files/schema.ts';
import type { Files } from '../files/files.ts';
import type { Merged } from '../merge/merge.ts';
import { errorMessage } from '../../../../lib/errors.ts';
import type { OpenFile } from '../files/open-file.ts';
import { BLOCK_ROWS, isRewrite, nextMerge, nextRewrite } from '../merge/plan.ts';
import { REMEMBERED_BATCHES } from '../files/batch-ids.ts';
import { dayNumber } from '../time.ts';
import type { WriterOptions } from './writer.ts';

/** What can wait: small blocks become large ones, replaced ones go, old files go. */
export interface Maintenance {
  /** One piece of work, some milliseconds. False: nothing is to be done now. `idle`: no lines are coming in. */
  step(idle: boolean): boolean;
  retention(): void;
  damaged(): number;
}

/** Small blocks of the newest lines are sealed into a larger one at this size together, this age, or this number. */
const HOT_BYTES = 1024 * 1024;
const HOT_MS = 60_000;
const HOT_BLOCKS = 256;
/** While lines come in, blocks are merged only where so many wait. */
const BACKLOG = 64;
/** Replaced blocks stay at least so long, for queries that are about to begin. */
const GRACE_MS = 10_000;
const RETENTION_MS = 2000;
const FORGET_MS = 600_000;
const CHECKPOINT_MS = 5000;
/** A smaller write-ahead log is not worth a checkpoint of its own. */
const WAL_BYTES = 1024 * 1024;
/** Blocks that are only written anew are taken one by one, with so much rest in between: questions about words are slower until then, but answered. */
const REWRITE_MS = 200;
/** Merging rests so long where its result could not be written. */
const RETRY_MS = 5000;
/** Share of a file that is free from which its space is given back while it still takes lines. */
const FREE_SHARE = 0.1;

export function createMaintenance(options: WriterOptions, files: Files): Maintenance {
  const { now, log } = options;
  const bad = new Set<number>();
  /** Blocks that merging passes by: damaged ones, those of so many fields that no other fits in, and those that could not be written anew. */
  const left = new Set<number>();
  /** Files that were set aside and could not be removed. */
  const stuck = new Set<string>();
  let lastRetention = 0;
  let lastForget = 0;
  let lastCheckpoint = 0;

  /** What is being merged, and then what came of it. */
  let merging: { file: OpenFile; blocks: readonly BlockRow[]; made: Merged | Error | null } | null = null;
  let lastFailed = -Infinity;
  let lastRewrite = -Infinity;

  function merge(file: OpenFile, blocks: readonly BlockRow[]): void {
    const one: NonNullable<typeof merging> = (merging = { file, blocks, made: null });
    options.merge(
      file.name,
      blocks.map(({ id }) => id),
      blocks.reduce((sum, { rows }) => sum + rows, 1),
      (made) => (one.made = made),
    );
  }
  /** Puts a merged block in the place of those that it was made of. */
  function place({ file, blocks }: NonNullable<typeof merging>, made: Merged | Error): void {
    // The file may have been removed, or given up, in the meantime.
    if (!files.open().includes(file)) return;
    lastFailed = now();
    try {
      if (made instanceof Error) throw made;
      replace(file, blocks, made);
    } catch (error) {
      const [first] = blocks;
      // What need not be done keeps nothing from being done behind it. A full disk is none of its own.
      if (first && isRewrite(blocks) && !isFull(error)) left.add(first.id);
      throw error;
    }
    lastFailed = -Infinity;
  }
  function replace(file: OpenFile, blocks: readonly BlockRow[], made: Merged): void {
    if ('bad' in made) {
      bad.add(made.bad);
      left.add(made.bad);
      const row = file.live.get(made.bad);
      return options.report?.({
        file: file.name,
        place: `block ${made.bad}`,
        what: `block ${made.bad} is damaged (${made.why})`,
        from: row?.t0 ?? null,
        to: row ? row.t1 + 1 : null,
        lost: row?.rows ?? null,
      });
    }
    const merged = blocks.slice(0, made.taken);
    const [first] = merged;
    if (first && made.taken === 1 && blocks.length > 1 && first.hot !== USE.hot) return void left.add(first.id);
    files.replace(
      file,
      merged.map(({ id }) => id),
      made.blocks,
    );
  }

  /** The small blocks of a file of which it is time to make a larger one: those of one day. */
  function ripe(file: OpenFile): BlockRow[] | null {
    const hot = [...file.live.values()].filter((one) => one.hot === USE.hot && !bad.has(one.id));
    const first = hot[0];
    if (!first) return null;
    const newest = files.open()[0] === file;
    const isRipe =
      !newest ||
      hot.length >= HOT_BLOCKS ||
      Math.abs(now() - first.born) >= HOT_MS ||
      hot.reduce((sum, { bytes }) => sum + bytes, 0) >= HOT_BYTES;
    if (!isRipe) return null;
    const days = (one: BlockRow) => `${dayNumber(one.t0)} ${dayNumber(one.t1)}`;
    let rows = 0;
    return hot.filter((one) => days(one) === days(first) && (rows += one.rows) <= BLOCK_ROWS);
  }

  function retention(): void {
    lastRetention = now();
    const over = () => files.bytes() - stuckBytes() - options.storeBytes;
    const before = over();
    // No line goes for what only waits to be written to its place.
    if (before > 0 && files.waitingBytes() >= before) files.checkpoint();
    // Nobody can read what was set aside: it makes room before any line that can be read.
    for (const { name } of over() > 0 ? files.aside() : []) if (over() > 0) dropAside(name, 'the store is full');
    for (let [first] = files.old(); first && over() > 0; [first] = files.old()) drop(first.name, 'the store is full');
    if (options.retentionDays <= 0) return;
    const limit = now() - options.retentionDays * 86_400_000;
    for (const { name, born } of [...files.old()])
      if (Math.max(born, Date.parse(`${dayOfFile(name)}T00:00:00Z`)) < limit)
        drop(name, 'its lines are past retention');
    for (const { name, written } of files.aside())
      if (written < limit) dropAside(name, 'its lines, which cannot be read, are past retention');
  }
  /** One that cannot be removed keeps no other from going, and no line goes in its stead. */
  function dropAside(name: string, why: string): void {
    try {
      drop(name, why);
      stuck.delete(name);
    } catch (error) {
      if (!stuck.has(name))
        log(`the log file ${name}, which is not read, cannot be removed (${errorMessage(error)}): remove it`);
      stuck.add(name);
    }
  }
  const stuckBytes = () =>
    stuck.size === 0 ? 0 : files.aside().reduce((sum, { name, bytes }) => sum + (stuck.has(name) ? bytes : 0), 0);
  function drop(name: string, why: string): void {
    files.remove(name);
    log(`the log file ${name} was removed: ${why}`);
    options.removed?.(name);
  }

  /** What was sealed small comes first. */
  function startMerge(idle: boolean): boolean {
    for (const find of [
      ripe,
      (file: OpenFile) => (idle || file.live.size > BACKLOG ? nextMerge([...file.live.values()], left) : null),
    ]) {
      for (const file of files.open()) {
        const blocks = find(file);
        if (!blocks) continue;
        merge(file, blocks);
        return true;
      }
    }
    return false;
  }

  const rewrite = (file: OpenFile) => nextRewrite(file.live.values(), left, files.open()[0] !== file);
  function startRewrite(): boolean {
    if (Math.abs(now() - lastRewrite) < REWRITE_MS) return false;
    for (const file of files.open()) {
      const blocks = rewrite(file);
      if (!blocks) continue;
      lastRewrite = now();
      merge(file, blocks);
      return true;
    }
    return false;
  }

  return {
    retention,
    damaged: () => bad.size,
    step(idle) {
      // Here and below either way: a clock that went back must not put it off.
      if (Math.abs(now() - lastRetention) >= RETENTION_MS) retention();
      const one = merging;
      if (one?.made) {
        merging = null;
        place(one, one.made);
        return true;
      }
      if (
        merging === null &&
        Math.abs(now() - lastFailed) >= RETRY_MS &&
        (startMerge(idle) || (idle && startRewrite()))
      )
        return true;
      // A query may have begun while the replacement was on its way to the disk, and have seen what it replaced.
      const before = Math.min(now(), options.oldestQuery()) - GRACE_MS;
      const [newest, ...others] = files.open();
      for (const file of newest ? [newest, ...others] : []) if (file.sweep(before)) return true;
      if (idle) {
        for (const file of others) {
          if (file === merging?.file || file.dead() > 0 || rewrite(file) !== null) continue;
          if (file.shrink(0)) return true;
          files.settled(file);
        }
        if (newest?.shrink(FREE_SHARE)) return true;
      }
      if (idle && newest && Math.abs(now() - lastCheckpoint) >= CHECKPOINT_MS) {
        lastCheckpoint = now();
        newest.checkpoint(WAL_BYTES);
      }
      if (newest && Math.abs(now() - lastForget) >= FORGET_MS) {
        lastForget = now();
        newest.forget(REMEMBERED_BATCHES);
      }
      return false;
    },
  };
}
