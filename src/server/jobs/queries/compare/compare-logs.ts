import { parseStored } from '../../../../lib/json.ts';
import type { ComparedLines, LogComparison } from '../../../../contract/comparisons.ts';
import type { Limits } from '../../../../contract/limits.ts';
import { normalise } from '../../failures/fingerprint.ts';

/** One kind of line of one job, as the log store counts them. */
interface Counted {
  level?: string;
  _msg?: string;
  n?: string;
  first?: string;
}

const PATTERN_CHARACTERS = 300;
const SAMPLE_CHARACTERS = 2000;
const LEVELS = ['FATAL', 'ERROR', 'WARN', 'WARNING', 'INFO', 'DEBUG', 'TRACE'];
const rankOf = (level: string): number =>
  (LEVELS.indexOf(level.toUpperCase()) + LEVELS.length + 1) % (LEVELS.length + 1);

/**
 * The lines of two jobs by what they have in common once numbers, ids, times and quoted texts are taken out: what one of
 * them alone wrote comes first, then what one wrote more often.
 */
export function compareLogs(
  here: Uint8Array,
  there: Uint8Array,
  { compareRows }: Pick<Limits, 'compareRows'>,
): Omit<LogComparison, 'complete'> {
  const kinds = new Map<string, ComparedLines>();
  const lines = { here: 0, there: 0 };
  for (const [side, bytes] of [
    ['here', here],
    ['there', there],
  ] as const) {
    for (const { level = '', _msg = '', n = '1', first = '' } of rowsOf(bytes)) {
      const pattern = normalise(_msg, PATTERN_CHARACTERS);
      const key = `${level}\n${pattern}`;
      const kind = kinds.get(key) ?? {
        level,
        pattern,
        sample: _msg.slice(0, SAMPLE_CHARACTERS),
        here: 0,
        there: 0,
        firstAt: first,
      };
      kinds.set(key, kind);
      kind[side] += Number(n);
      lines[side] += Number(n);
      if (first < kind.firstAt) Object.assign(kind, { firstAt: first, sample: _msg.slice(0, SAMPLE_CHARACTERS) });
    }
  }
  const all = [...kinds.values()];
  const differing = all.filter((kind) => kind.here !== kind.there);
  const group = ({ here: a, there: b }: ComparedLines): number => (b === 0 ? 0 : a === 0 ? 1 : 2);
  differing.sort(
    (a, b) =>
      group(a) - group(b) ||
      rankOf(a.level) - rankOf(b.level) ||
      Math.abs(b.here - b.there) - Math.abs(a.here - a.there) ||
      (a.firstAt < b.firstAt ? -1 : 1),
  );
  return { lines, items: balanced(differing, group, compareRows), alike: all.length - differing.length };
}

/** At most so many, a share of each group, so that many of one kind do not hide the others. */
function balanced(
  rows: readonly ComparedLines[],
  group: (row: ComparedLines) => number,
  most: number,
): ComparedLines[] {
  if (rows.length <= most) return [...rows];
  const share = Math.ceil(most / 3);
  const seen = [0, 0, 0];
  return rows.filter((row) =>
    (seen[group(row)] ?? 0) < share ? ((seen[group(row)] = (seen[group(row)] ?? 0) + 1), true) : false,
  );
}

function* rowsOf(bytes: Uint8Array): Generator<Counted> {
  for (const line of Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').split('\n'))
    if (line !== '') yield parseStored<Counted>(line);
}
