import { type ByField, type Pipe, STATS, type StatsCall, type StatsName } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { durationOf } from './durations.ts';
import { numberOf } from './numbers.ts';
import { conditionAt, type FilterAt } from './parse-text-pipe.ts';
import { nameText } from './quote.ts';
import { badQuery } from './tokens.ts';

const CALENDAR = new Set([
  'nanosecond',
  'microsecond',
  'millisecond',
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'year',
]);
const STATS_ALIASES: ReadonlyMap<string, StatsName> = new Map<string, StatsName>([['count_uniq_hash', 'count_uniq']]);
const statsName = (text: string): StatsName | null =>
  STATS.find((name) => name === text.toLowerCase()) ?? STATS_ALIASES.get(text.toLowerCase()) ?? null;

/** True at `by (` and at `count(`, where `stats` may be left out. */
export const startsStats = (cursor: Cursor): boolean =>
  cursor.isSign('(', 1) &&
  cursor.peek().kind === 'word' &&
  (cursor.isWord('by') || statsName(cursor.peek().text) !== null);

/** What stands behind `stats`. */
export function parseStats(cursor: Cursor, filterAt: FilterAt): Pipe {
  let by: ByField[] = [];
  if (cursor.word('by') || cursor.isSign('(')) {
    cursor.expect('(', 'after "by"');
    by = cursor.upToBrace('between two fields', () => byAt(cursor));
  }
  const calls: StatsCall[] = [];
  do {
    const at = cursor.peek().at;
    const call = callAt(cursor, filterAt);
    if (by.some(({ field }) => field === call.as) || calls.some(({ as }) => as === call.as))
      throw badQuery(at, `expected a unique name for each result: ${JSON.stringify(call.as)} is already used`);
    calls.push(call);
  } while (cursor.sign(','));
  return { kind: 'stats', by, calls };
}

function byAt(cursor: Cursor): ByField {
  const field = cursor.name();
  let step: string | null = null;
  let offset: string | null = null;
  if (cursor.sign(':')) {
    const at = cursor.peek().at;
    step = cursor.value('-+./', 'a step such as 1m, 100 or /24');
    if (!isStep(step, field))
      throw badQuery(at, `expected a step such as 5m, day, 100, 10KB or /24, got ${JSON.stringify(step)}`);
  }
  if (cursor.word('offset')) {
    const at = cursor.peek().at;
    offset = cursor.value('-+.', 'an offset');
    if (durationOf(offset) === null && numberOf(offset) === null)
      throw badQuery(at, `expected an offset such as 30m or 5, got ${JSON.stringify(offset)}`);
  }
  return { field, step, offset };
}

function isStep(step: string, field: string): boolean {
  if (field === '_time' && CALENDAR.has(step)) return true;
  if (/^\/\d{1,2}$/.test(step)) return Number(step.slice(1)) <= 32;
  const duration = durationOf(step);
  if (duration !== null) return duration > 0n;
  const value = field === '_time' ? null : numberOf(step);
  return value !== null && value > 0;
}

function callAt(cursor: Cursor, filterAt: FilterAt): StatsCall {
  const token = cursor.peek();
  const name = token.kind === 'word' ? statsName(token.text) : null;
  if (name === null) throw cursor.wrong(`one of the functions ${STATS.join(', ')}`);
  cursor.next();
  cursor.expect('(', `behind ${name}`);
  const args = cursor.upToBrace('between two fields', () =>
    cursor.sign('*') ? '*' : cursor.value('-./+$', 'the name of a field'),
  );
  let phi: number | null = null;
  if (name === 'quantile') {
    phi = Number(args.shift() ?? Number.NaN);
    if (!(phi >= 0 && phi <= 1)) throw badQuery(token.at, 'expected quantile(phi, field) with a phi of 0 to 1');
  }
  const all = args.includes('*');
  if (args.length === 0 && !['count', 'rate'].includes(name) && !name.startsWith('row_') && name !== 'any')
    throw badQuery(token.at, `expected the name of a field in ${name}()`);
  if (args.length === 0 && (name === 'row_min' || name === 'row_max'))
    throw badQuery(token.at, `expected the name of a field in ${name}()`);
  const fields = all ? [] : args;
  const takesLimit = ['uniq_values', 'values', 'count_uniq'].includes(name);
  const limit = takesLimit && cursor.word('limit') ? cursor.count('how many values') : null;
  const condition = conditionAt(cursor, filterAt);
  const text = `${name}(${[...(phi === null ? [] : [phi]), ...(fields.length === 0 ? ['*'] : fields.map(nameText))].join(', ')})`;
  const as =
    cursor.word('as') || (cursor.peek().kind === 'word' && cursor.isPlainWord()) || cursor.peek().kind === 'quoted'
      ? cursor.name('a name for the result')
      : text;
  return { name, fields, phi, limit, condition, as };
}
