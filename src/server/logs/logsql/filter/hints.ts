import type { Filter, Test } from '../../../../lib/logsql/ast.ts';
import type { ScanHints } from '../../store/port.ts';
import { literalsOf } from '../regex/literals.ts';
import { boundsOf } from './time-bounds.ts';
import { guaranteedWords } from './words.ts';

const NS_PER_MS = 1_000_000n;
const NOTHING: ScanHints = { from: null, to: null, equal: [], words: [] };
/** More values than this are no hint worth asking for. */
const MAX_VALUES = 256;

/** What every match fulfils: the store skips blocks that cannot. `now` in nanoseconds since the epoch. */
export function hintsOf(filter: Filter, now: bigint): ScanHints {
  switch (filter.kind) {
    case 'and':
      return filter.parts.map((part) => hintsOf(part, now)).reduce(bothHints, NOTHING);
    case 'or':
      return filter.parts.map((part) => hintsOf(part, now)).reduce(eitherHints);
    case 'time': {
      const { from, to } = boundsOf(filter, now);
      // A millisecond of which the last nanosecond counts, counts.
      return {
        ...NOTHING,
        from: from === null ? null : Number(floorDiv(from)),
        to: to === null ? null : Number(-floorDiv(-to)),
      };
    }
    case 'field':
      return testHints(filter.field, filter.test);
    default:
      return NOTHING;
  }
}

const floorDiv = (ns: bigint): bigint => ns / NS_PER_MS - (ns % NS_PER_MS < 0n ? 1n : 0n);

function testHints(field: string, test: Test): ScanHints {
  const equal = (anyOf: readonly string[]): ScanHints =>
    anyOf.length > MAX_VALUES || anyOf.includes('') || field === '_time'
      ? NOTHING
      : { ...NOTHING, equal: [{ field, anyOf }] };
  const words = (found: readonly string[]): ScanHints => (field === '_msg' ? { ...NOTHING, words: found } : NOTHING);
  switch (test.kind) {
    case 'exact':
      return test.prefix
        ? words(guaranteedWords(test.text, false, true))
        : { ...equal([test.text]), ...(field === '_msg' ? { words: guaranteedWords(test.text, false, false) } : {}) };
    case 'in':
      return equal(test.values);
    case 'phrase':
      return test.fold ? NOTHING : words(guaranteedWords(test.text, false, test.prefix));
    case 'substring':
      return words(guaranteedWords(test.text, true, true));
    case 'seq':
    case 'contains_all':
      return words(
        (test.kind === 'seq' ? test.texts : test.values).flatMap((text) => guaranteedWords(text, false, false)),
      );
    case 'contains_any':
      return test.values.length === 1 ? words(guaranteedWords(test.values[0] ?? '', false, false)) : NOTHING;
    case 'regexp': {
      const literals = literalsOf(test.pattern);
      return literals?.length === 1 ? words(guaranteedWords(literals[0] ?? '', true, true)) : NOTHING;
    }
    default:
      return NOTHING;
  }
}

function bothHints(a: ScanHints, b: ScanHints): ScanHints {
  return {
    from: a.from === null ? b.from : b.from === null ? a.from : Math.max(a.from, b.from),
    to: a.to === null ? b.to : b.to === null ? a.to : Math.min(a.to, b.to),
    equal: [...a.equal, ...b.equal],
    words: [...a.words, ...b.words],
  };
}

/** What holds of both sides. Values of one field that each side names are joined; of words only those of both count. */
function eitherHints(a: ScanHints, b: ScanHints): ScanHints {
  return {
    from: a.from === null || b.from === null ? null : Math.min(a.from, b.from),
    to: a.to === null || b.to === null ? null : Math.max(a.to, b.to),
    equal: a.equal.flatMap((one) => {
      const other = b.equal.find(({ field }) => field === one.field);
      const anyOf = other && [...new Set([...one.anyOf, ...other.anyOf])];
      return anyOf && anyOf.length <= MAX_VALUES ? [{ field: one.field, anyOf }] : [];
    }),
    words: a.words.filter((word) => b.words.includes(word)),
  };
}
