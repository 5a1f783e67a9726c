import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { DATA_PARTS, type Damage, type DataPart, type DataWarning } from '../../contract/data-health.ts';
import { tableOf } from '../../contract/tables.ts';
import { iso } from '../../lib/clock.ts';
import { errorMessage } from '../../lib/errors.ts';
import { parseStored } from '../../lib/json.ts';
import type { DamageRegistry, FoundDamage } from './port.ts';

export interface DamageRegistryOptions {
  /** Where what cannot be found again is kept over a restart; null: nowhere. */
  readonly file: string | null;
  now(): number;
  log(line: string): void;
  /** Damages that are listed; of more only what they have in common is kept. */
  readonly most?: number;
}

interface Known extends FoundDamage {
  readonly at: number;
}

const MOST = 1000;
/** Warnings of one answer; the last of more speaks for the rest. */
const WARNINGS = 20;

/** What is known of damage, in the order in which it was found. */
export function createDamageRegistry({ file, now, log, most = MOST }: DamageRegistryOptions): DamageRegistry {
  const known = new Map<string, Known>();
  /** Beyond what is listed: of each part how many, and over what time. */
  const beyond = new Map<DataPart, Known & { count: number }>();
  const listeners = new Set<(damage: Damage) => void>();
  let found = 0;
  const keyOf = (one: Pick<FoundDamage, 'part' | 'file' | 'place'>) => `${one.part}\u0000${one.file}\u0000${one.place}`;

  for (const damage of remembered()) known.set(keyOf(damage), damage);

  function report(damage: FoundDamage): void {
    const key = keyOf(damage);
    const before = known.get(key);
    if (before) {
      // A second look may know more; the same again is no news.
      if (before.lost === damage.lost && before.from === damage.from && before.to === damage.to) return;
      known.set(key, { ...damage, keep: damage.keep ?? before.keep ?? false, at: before.at });
      return save();
    }
    found++;
    const one: Known = { ...damage, at: now() };
    log(`data is damaged: ${damage.file}: ${damage.what}`);
    if (known.size < most) known.set(key, one);
    else beyond.set(damage.part, together(beyond.get(damage.part), one));
    save();
    for (const listener of listeners) listener(shown(one));
  }

  function* overlapping(
    parts: readonly DataPart[],
    from: number | null,
    to: number | null,
  ): Generator<Known & { count?: number }> {
    for (const one of [...known.values(), ...beyond.values()]) {
      if (!parts.includes(one.part)) continue;
      if (from !== null && one.to !== null && one.to <= from) continue;
      if (to !== null && one.from !== null && one.from >= to) continue;
      // Nothing is missing from an answer where only a filter or a copy is damaged.
      if (one.lost !== 0) yield one;
    }
  }

  /** The entries that must not be forgotten, as one line with its checksum. */
  function save(): void {
    if (file === null) return;
    const kept = [...known.values(), ...beyond.values()].filter(({ keep }) => keep);
    try {
      if (kept.length === 0) return rmSync(file, { force: true });
      const text = JSON.stringify(kept);
      writeFileSync(`${file}.tmp`, `${crc32(text).toString(16)} ${text}\n`, { mode: 0o600, flush: true });
      renameSync(`${file}.tmp`, file);
    } catch (error) {
      log(`the list of damaged data ${file} cannot be written: ${errorMessage(error)}`);
    }
  }
  function remembered(): Known[] {
    if (file === null) return [];
    let line: string;
    try {
      line = readFileSync(file, 'utf8').trimEnd();
    } catch {
      return [];
    }
    const [sum = '', text = ''] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
    if (Number.parseInt(sum, 16) === crc32(text)) return parseStored<Known[]>(text);
    const what = 'the list of data that was lost earlier is damaged: what it said is not known any more';
    return DATA_PARTS.map((part) => ({
      ...{ part, file: 'damage.json', place: '', what, from: null, to: now(), lost: null, keep: true, at: now() },
    }));
  }

  return {
    report,
    forget(part, name, place) {
      let isChanged = false;
      for (const [key, one] of known)
        if (one.part === part && one.file === name && (place === undefined || one.place === place))
          isChanged = known.delete(key);
      if (isChanged) save();
    },
    list: () => [...known.values(), ...beyond.values()].map(shown),
    get unlisted() {
      return [...beyond.values()].reduce((sum, { count }) => sum + count, 0);
    },
    counts() {
      const counts = tableOf(DATA_PARTS, (part) => beyond.get(part)?.count ?? 0);
      for (const { part } of known.values()) counts[part]++;
      return counts;
    },
    get found() {
      return found;
    },
    warnings(parts, from, to) {
      const warned = [...overlapping(parts, from, to)];
      const told = warned.slice(0, warned.length > WARNINGS ? WARNINGS - 1 : WARNINGS).map(warningOf);
      const rest = warned.slice(told.length);
      if (rest.length > 0) {
        const last = rest.reduce<(Known & { count: number }) | undefined>(together, undefined);
        if (last) told.push({ ...warningOf(last), message: `${rest.length} more parts of the data are damaged` });
      }
      return told;
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Two as one: over the time of both, with what both lost. */
function together(sum: (Known & { count: number }) | undefined, one: Known): Known & { count: number } {
  const count = (sum?.count ?? 0) + ('count' in one && typeof one.count === 'number' ? one.count : 1);
  if (!sum) return { ...one, count };
  const either = (a: number | null, b: number | null, of: (...values: number[]) => number) =>
    a === null || b === null ? null : of(a, b);
  return {
    ...sum,
    file: '',
    place: '',
    what: `${count} more damages`,
    from: either(sum.from, one.from, Math.min),
    to: either(sum.to, one.to, Math.max),
    lost: either(sum.lost, one.lost, (a, b) => a + b),
    keep: sum.keep === true || one.keep === true,
    count,
  };
}

const missing = ({ from, to, lost }: Pick<FoundDamage, 'from' | 'to' | 'lost'>) => ({
  ...(from === null ? {} : { from: iso(from) }),
  ...(to === null ? {} : { to: iso(to) }),
  ...(lost === null ? {} : { lost }),
});
const warningOf = (one: FoundDamage): DataWarning => ({
  code: 'DATA_DAMAGED',
  message: `${one.file}: ${one.what}`,
  ...missing(one),
});
const shown = (one: Known): Damage => ({
  part: one.part,
  file: one.file,
  what: one.what,
  ...missing(one),
  at: iso(one.at),
});
