import { builtIn, packageOf } from './builtin.ts';
import type { Context } from '../context.ts';
import { runtimeError } from '../language/errors.ts';
import { addDuration, splitNs } from '../values/time.ts';
import { Duration, Time, typeOf, type Rec, type Value } from '../values/values.ts';
import { createWindows } from '../values/windows.ts';

/** Package `date`, in UTC. A duration stands for the time that it is from now. */
export function datePackage(ctx: Context): Rec {
  const moment = (value: Value): bigint => {
    if (value instanceof Time) return value.ns;
    if (value instanceof Duration) return addDuration(ctx.now(), value);
    throw runtimeError(`expected a time or a duration but found ${typeOf(value)}`);
  };
  const part = (name: string, of: (date: Date, rest: number) => number) =>
    builtIn(name, 't', (args) => {
      const { ms, rest } = splitNs(moment(args.any('t')));
      return BigInt(of(new Date(ms), rest));
    });
  const dayOfYear = (date: Date): number =>
    Math.floor(
      (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0, 1)) /
        86_400_000,
    ) + 1;
  return packageOf([
    part('nanosecond', (date, rest) => date.getUTCMilliseconds() * 1_000_000 + rest),
    part('microsecond', (date, rest) => date.getUTCMilliseconds() * 1000 + Math.floor(rest / 1000)),
    part('millisecond', (date) => date.getUTCMilliseconds()),
    part('second', (date) => date.getUTCSeconds()),
    part('minute', (date) => date.getUTCMinutes()),
    part('hour', (date) => date.getUTCHours()),
    part('weekDay', (date) => date.getUTCDay()),
    part('monthDay', (date) => date.getUTCDate()),
    part('yearDay', dayOfYear),
    part('month', (date) => date.getUTCMonth() + 1),
    part('quarter', (date) => Math.floor(date.getUTCMonth() / 3) + 1),
    part('year', (date) => date.getUTCFullYear()),
    part('week', isoWeek),
    builtIn('truncate', 't unit', (args) => {
      const unit = args.duration('unit');
      if (unit.months === 0 && unit.ns < 1000n) return new Time(moment(args.any('t')));
      const windows = createWindows(unit, unit, new Duration(0, 0n));
      return new Time(windows.start(windows.at(moment(args.any('t')))));
    }),
    builtIn('time', 't', (args) => new Time(moment(args.any('t')))),
    builtIn('add', 'd to', (args) => new Time(addDuration(moment(args.any('to')), args.duration('d')))),
    builtIn('sub', 'd from', (args) => new Time(addDuration(moment(args.any('from')), args.duration('d').negated()))),
    builtIn(
      'scale',
      'd n',
      (args) =>
        new Duration(
          args.duration('d').months * Number(args.int('n')),
          BigInt.asIntN(64, args.duration('d').ns * args.int('n')),
        ),
    ),
  ]);
}

/** ISO 8601: the week of its Thursday. */
function isoWeek(date: Date): number {
  const thursday = new Date(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 3 - ((date.getUTCDay() + 6) % 7)),
  );
  return Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 604_800_000) + 1;
}
