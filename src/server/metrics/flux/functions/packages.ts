import { createBuilder } from '../values/table-builder.ts';
import { builtIn, packageOf } from './builtin.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { createRegex } from '../language/regex.ts';
import { cellOf, cellType } from '../values/table.ts';
import { entriesOf, isRec, isStream, RegexValue, type Rec, typeOf, type Value } from '../values/values.ts';

/** Characters that one call of a string function may make. */
const LONGEST = 1024 * 1024;

const bounded = (length: number): void => {
  if (length > LONGEST) throw runtimeError(`the string would be longer than ${LONGEST} characters`);
};
const trimmed = (text: string, cutset: string, left: boolean, right: boolean): string => {
  const cut = new Set(cutset);
  const letters = Array.from(text);
  let [from, to] = [0, letters.length];
  while (left && from < to && cut.has(letters[from] ?? '')) from++;
  while (right && to > from && cut.has(letters[to - 1] ?? '')) to--;
  return letters.slice(from, to).join('');
};

/** Package `strings`. Positions and lengths count characters. */
export function stringsPackage(): Rec {
  const one = (name: string, of: (text: string) => Value) => builtIn(name, 'v', (args) => of(args.text('v')));
  const two = (name: string, second: string, of: (text: string, other: string) => Value) =>
    builtIn(name, `v ${second}`, (args) => of(args.text('v'), args.text(second)));
  const replaced = (text: string, from: string, to: string, times: number): string => {
    bounded(text.length + Math.min(text.length + 1, times) * to.length);
    const parts = text.split(from);
    return parts.length - 1 <= times
      ? parts.join(to)
      : [...parts.slice(0, times), parts.slice(times).join(from)].join(to);
  };
  return packageOf([
    one('toUpper', (v) => v.toUpperCase()),
    one('toLower', (v) => v.toLowerCase()),
    one('title', (v) =>
      v.replace(/(^|[^\p{L}\p{Nd}_'])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase()),
    ),
    one('trimSpace', (v) => v.trim()),
    one('strlen', (v) => BigInt(Array.from(v).length)),
    one('isDigit', (v) => /^\p{Nd}$/u.test(v)),
    one('isLetter', (v) => /^\p{L}$/u.test(v)),
    one('isLower', (v) => /^\p{Ll}$/u.test(v)),
    one('isUpper', (v) => /^\p{Lu}$/u.test(v)),
    two('trim', 'cutset', (v, cutset) => trimmed(v, cutset, true, true)),
    two('trimLeft', 'cutset', (v, cutset) => trimmed(v, cutset, true, false)),
    two('trimRight', 'cutset', (v, cutset) => trimmed(v, cutset, false, true)),
    two('trimPrefix', 'prefix', (v, prefix) => (v.startsWith(prefix) ? v.slice(prefix.length) : v)),
    two('trimSuffix', 'suffix', (v, suffix) => (suffix !== '' && v.endsWith(suffix) ? v.slice(0, -suffix.length) : v)),
    two('hasPrefix', 'prefix', (v, prefix) => v.startsWith(prefix)),
    two('hasSuffix', 'suffix', (v, suffix) => v.endsWith(suffix)),
    two('containsStr', 'substr', (v, substr) => v.includes(substr)),
    two('containsAny', 'chars', (v, chars) => Array.from(chars).some((char) => v.includes(char))),
    two('countStr', 'substr', (v, substr) => BigInt(v.split(substr).length - 1)),
    two('index', 'substr', (v, substr) => BigInt(v.indexOf(substr))),
    two('lastIndex', 'substr', (v, substr) => BigInt(v.lastIndexOf(substr))),
    two('equalFold', 't', (v, t) => v.toLowerCase() === t.toLowerCase()),
    two('compare', 't', (v, t) => (v < t ? -1n : v > t ? 1n : 0n)),
    two('split', 't', (v, t) => v.split(t)),
    builtIn('joinStr', 'arr v', (args) => {
      const texts = args.texts('arr');
      bounded(texts.reduce((sum, text) => sum + text.length + args.text('v').length, 0));
      return texts.join(args.text('v'));
    }),
    builtIn('substring', 'v start end', (args) =>
      Array.from(args.text('v'))
        .slice(Math.max(0, Number(args.int('start'))), Math.max(0, Number(args.int('end'))))
        .join(''),
    ),
    builtIn('repeat', 'v i', (args) => {
      bounded(args.text('v').length * args.count('i'));
      return args.text('v').repeat(args.count('i'));
    }),
    builtIn('replace', 'v t u i', (args) =>
      replaced(args.text('v'), args.text('t'), args.text('u'), args.int('i') < 0n ? Infinity : args.count('i')),
    ),
    builtIn('replaceAll', 'v t u', (args) => replaced(args.text('v'), args.text('t'), args.text('u'), Infinity)),
  ]);
}

/** Package `math`. */
export function mathPackage(): Rec {
  const one = (name: string, of: (x: number) => number) => builtIn(name, 'x', (args) => of(args.float('x')));
  const two = (name: string, a: string, b: string, of: (x: number, y: number) => number) =>
    builtIn(name, `${a} ${b}`, (args) => of(args.float(a), args.float(b)));
  const names = [
    'abs',
    'ceil',
    'floor',
    'trunc',
    'sqrt',
    'cbrt',
    'exp',
    'expm1',
    'log',
    'log10',
    'log2',
    'log1p',
    'sin',
    'cos',
    'tan',
    'asin',
    'acos',
    'atan',
    'sinh',
    'cosh',
    'tanh',
    'asinh',
    'acosh',
    'atanh',
  ] as const;
  return packageOf([
    ...names.map((name) => one(name, Math[name])),
    // Halves go away from zero.
    one('round', (x) => Math.sign(x) * Math.round(Math.abs(x))),
    one('exp2', (x) => 2 ** x),
    two('pow', 'x', 'y', (x, y) => x ** y),
    two('mod', 'x', 'y', (x, y) => x % y),
    two('hypot', 'p', 'q', (x, y) => Math.hypot(x, y)),
    two('atan2', 'x', 'y', (x, y) => Math.atan2(x, y)),
    two('dim', 'x', 'y', (x, y) => Math.max(x - y, 0)),
    two('mMax', 'x', 'y', Math.max),
    two('mMin', 'x', 'y', Math.min),
    builtIn('isNaN', 'f', (args) => Number.isNaN(args.float('f'))),
    builtIn('isInf', 'f sign', (args) => {
      const sign = args.int('sign');
      return (sign >= 0n && args.float('f') === Infinity) || (sign <= 0n && args.float('f') === -Infinity);
    }),
    builtIn('mInf', 'sign', (args) => (args.int('sign') >= 0n ? Infinity : -Infinity)),
    builtIn('NaN', '', () => Number.NaN),
    ['pi', Math.PI],
    ['e', Math.E],
    ['sqrt2', Math.SQRT2],
    ['ln2', Math.LN2],
    ['ln10', Math.LN10],
    ['maxint', 2n ** 63n - 1n],
    ['minint', -(2n ** 63n)],
    ['maxfloat', Number.MAX_VALUE],
  ]);
}

/** Package `regexp`. */
export function regexpPackage(): Rec {
  const regex = (value: Value) => {
    if (!(value instanceof RegexValue)) throw runtimeError(`argument r: expected a regexp but found ${typeOf(value)}`);
    return value.regex;
  };
  return packageOf([
    builtIn('compile', 'v', (args) => new RegexValue(createRegex(args.text('v')))),
    builtIn('quoteMeta', 'v', (args) => args.text('v').replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
    builtIn('matchRegexpString', 'r v', (args) => regex(args.any('r')).test(args.text('v'))),
    builtIn('replaceAllString', 'r v t', (args) => {
      bounded((args.text('v').length + 1) * (args.text('t').length + 1));
      return regex(args.any('r')).replaceAll(args.text('v'), args.text('t'));
    }),
  ]);
}

/** Package `array`: tables that are written down. */
export function arrayPackage(ctx: Context): Rec {
  return packageOf([
    builtIn('from', 'rows', (args) => {
      const builder = createBuilder(new Set(), ctx.budget);
      for (const row of args.array('rows')) {
        if (!isRec(row)) throw runtimeError(`argument rows: expected an array of records but found ${typeOf(row)}`);
        const entries = entriesOf(row);
        builder.row([...entries.keys()], Array.from(entries.values(), cellType), Array.from(entries.values(), cellOf));
      }
      const table = builder.finish();
      return { kind: 'stream', bounds: null, reading: null, tables: () => [table] };
    }),
    builtIn('concat', 'arr v', (args) => {
      ctx.budget.hold(args.array('arr').length + args.array('v').length);
      return args.array('arr').concat(args.array('v'));
    }),
  ]);
}

/** Package `types`. */
export const typesPackage = (): Rec =>
  packageOf([
    builtIn('isType', 'v type', (args) => typeOf(args.any('v')) === args.text('type') && !isStream(args.any('v'))),
  ]);
