import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parseStored } from '../../../lib/json.ts';
import { crc32 } from 'node:zlib';
import type { PipelineDamage } from './port.ts';
import type { DeadLetter } from '../../../contract/logs.ts';

/** Characters of a letter's line in a list. */
const SHOWN = 4096;
const REASON = 1000;

export interface DeadLetterFile {
  /** Adds one, unless its id is there; where there is no room the oldest go. Returns how many went. */
  add(letter: Omit<DeadLetter, 'bytes'>): number;
  /** Newest first. */
  list(page: number, size: number): { items: DeadLetter[]; total: number };
  /** With whole lines, oldest first; null: all. Piece by piece, however large the file is. */
  find(ids: readonly string[] | null): Promise<DeadLetter[]>;
  /** Null: all. */
  remove(ids: readonly string[] | null): number;
  /** Notes at the end of the file that these are gone: quick, however large it is. A later letter of the same id counts again. */
  strike(ids: readonly string[]): void;
  /** Takes what is noted as gone out of the file. */
  tidy(): void;
  /** Reads them all, and tells what of them cannot be read. */
  verify(): Promise<{ bytes: number; damage: LetterDamage | null }>;
}

export type LetterDamage = Omit<PipelineDamage, 'file'>;

/** A line of the file that says which of the letters before it are gone. */
interface Struck {
  readonly gone: readonly string[];
}

/** Hexadecimal digits of the CRC-32 that stands before a line's JSON; lines of the first form begin with the JSON. */
const SUM = 8;
const lineOf = (value: DeadLetter | Struck): string => {
  const json = JSON.stringify(value);
  return `${crc32(json).toString(16).padStart(SUM, '0')} ${json}\n`;
};

/** Lines permanently rejected by the log store, as JSON lines in one bounded file. They are few, so each call reads the file. */
export function openDeadLetters(
  file: string,
  maxBytes: number,
  report: (damage: LetterDamage) => void = () => {},
): DeadLetterFile {
  /** Lines that cannot be read; the last one may be cut short by a crash. */
  let damaged = new Set<string>();

  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });

  function read(): DeadLetter[] {
    if (!existsSync(file)) return [];
    const letters = new Map<string, DeadLetter>();
    const lines = readFileSync(file, 'utf8').split('\n');
    for (const line of lines) take(letters, line);
    tell(lines.at(-1));
    return [...letters.values()];
  }
  function take(letters: Map<string, DeadLetter>, line: string): void {
    if (line === '') return;
    const isFirstForm = line.startsWith('{');
    const json = isFirstForm ? line : line.slice(SUM + 1);
    if (!isFirstForm && Number.parseInt(line.slice(0, SUM), 16) !== crc32(json)) return void damaged.add(line);
    try {
      const letter = parseStored<DeadLetter | Struck>(json);
      if ('gone' in letter) for (const id of letter.gone) letters.delete(id);
      else if (!letters.has(letter.id)) letters.set(letter.id, letter);
    } catch {
      damaged.add(line);
    }
  }
  /** The last line may be one that a crash cut short: its batch is still in the queue and comes again. */
  function tell(last: string | undefined): LetterDamage | null {
    if (last !== undefined) damaged.delete(last);
    const lost = damaged.size;
    damaged = new Set();
    if (lost === 0) return null;
    const what = `${lost} dead letters cannot be read`;
    const damage: LetterDamage = { what, from: null, to: Date.now(), lost };
    report(damage);
    return damage;
  }
  function rewrite(letters: readonly DeadLetter[]): void {
    writeFileSync(`${file}.tmp`, letters.map(lineOf).join(''), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
  }

  /** All of it or nothing. The line break stands first: a crash may have left half of a line. */
  function append(text: string): void {
    const before = existsSync(file) ? statSync(file).size : 0;
    try {
      appendFileSync(file, `\n${text}`, { mode: 0o600 });
    } catch (error) {
      if (existsSync(file)) truncateSync(file, before);
      throw error;
    }
  }

  return {
    add(given) {
      const letter: DeadLetter = {
        ...given,
        reason: given.reason.slice(0, REASON),
        bytes: Buffer.byteLength(given.line),
      };
      const text = lineOf(letter);
      const size = existsSync(file) ? statSync(file).size : 0;
      let gone = 0;
      if (size + text.length > maxBytes) {
        // Room for more than this one, so that not every further letter rewrites the file.
        const kept = read();
        const sizes = kept.map((one) => Buffer.byteLength(lineOf(one)));
        for (
          let bytes = sizes.reduce((sum, one) => sum + one, 0);
          gone < kept.length && bytes + text.length > maxBytes * 0.75;
          gone++
        )
          bytes -= sizes[gone] ?? 0;
        rewrite(kept.slice(gone));
      }
      append(text);
      return gone;
    },
    list(page, size) {
      const all = read().reverse();
      return {
        items: all
          .slice(page * size, (page + 1) * size)
          .map((letter) => ({ ...letter, line: letter.line.slice(0, SHOWN) })),
        total: all.length,
      };
    },
    async find(ids) {
      const letters = new Map<string, DeadLetter>();
      let last: string | undefined;
      const { createInterface } = process.getBuiltinModule('node:readline');
      if (existsSync(file))
        for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
          take(letters, line);
          if (line !== '') last = line;
        }
      tell(last);
      const wanted = ids === null ? null : new Set(ids);
      return [...letters.values()].filter(({ id }) => wanted?.has(id) ?? true);
    },
    remove(ids) {
      const unwanted = ids === null ? null : new Set(ids);
      const all = read();
      const kept = all.filter(({ id }) => unwanted !== null && !unwanted.has(id));
      if (kept.length < all.length) rewrite(kept);
      return all.length - kept.length;
    },
    strike: (ids) => append(lineOf({ gone: ids })),
    tidy: () => rewrite(read()),
    async verify() {
      if (!existsSync(file)) return { bytes: 0, damage: null };
      const letters = new Map<string, DeadLetter>();
      const lines = readFileSync(file, 'utf8').split('\n');
      for (const line of lines) take(letters, line);
      return { bytes: statSync(file).size, damage: tell(lines.at(-1)) };
    },
  };
}
