import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DeadLetter } from '../../../contract/api-pipeline.ts';

/** Characters of a letter's line in a list. */
const SHOWN = 4096;
const REASON = 1000;

export interface DeadLetterFile {
  /** Adds one, unless its id is there; where there is no room the oldest go. Returns how many went. */
  add(letter: Omit<DeadLetter, 'bytes'>): number;
  /** Newest first. */
  list(page: number, size: number): { items: DeadLetter[]; total: number };
  /** With whole lines, oldest first; null: all. */
  find(ids: readonly string[] | null): DeadLetter[];
  remove(ids: readonly string[]): number;
}

/** Lines that the store refused for good, as JSON lines in one bounded file. They are few, so each call reads the file. */
export function openDeadLetters(file: string, maxBytes: number): DeadLetterFile {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });

  function read(): DeadLetter[] {
    if (!existsSync(file)) return [];
    const letters = new Map<string, DeadLetter>();
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line === '') continue;
      try {
        const letter = JSON.parse(line) as DeadLetter;
        if (!letters.has(letter.id)) letters.set(letter.id, letter);
      } catch {
        // The last line, where a crash cut it short: its batch is still in the queue and comes again.
      }
    }
    return [...letters.values()];
  }
  function rewrite(letters: readonly DeadLetter[]): void {
    writeFileSync(`${file}.tmp`, letters.map((letter) => `${JSON.stringify(letter)}\n`).join(''), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
  }

  return {
    add(given) {
      const letter: DeadLetter = { ...given, reason: given.reason.slice(0, REASON), bytes: Buffer.byteLength(given.line) };
      const text = `${JSON.stringify(letter)}\n`;
      const size = existsSync(file) ? statSync(file).size : 0;
      let gone = 0;
      if (size + text.length > maxBytes) {
        // Room for more than this one, so that not every further letter rewrites the file.
        const kept = read();
        for (let bytes = size; kept.length > 0 && bytes + text.length > maxBytes * 0.75; gone++) bytes -= Buffer.byteLength(JSON.stringify(kept.shift())) + 1;
        rewrite(kept);
      }
      const before = existsSync(file) ? statSync(file).size : 0;
      try {
        // The line break stands first: a crash may have left half of a line.
        appendFileSync(file, `\n${text}`, { mode: 0o600 });
      } catch (error) {
        if (existsSync(file)) truncateSync(file, before);
        throw error;
      }
      return gone;
    },
    list(page, size) {
      const all = read().reverse();
      return { items: all.slice(page * size, (page + 1) * size).map((letter) => ({ ...letter, line: letter.line.slice(0, SHOWN) })), total: all.length };
    },
    find(ids) {
      const wanted = ids === null ? null : new Set(ids);
      return read().filter(({ id }) => wanted?.has(id) ?? true);
    },
    remove(ids) {
      const unwanted = new Set(ids);
      const all = read();
      const kept = all.filter(({ id }) => !unwanted.has(id));
      if (kept.length < all.length) rewrite(kept);
      return all.length - kept.length;
    },
  };
}
