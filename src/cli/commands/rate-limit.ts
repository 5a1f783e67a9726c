import { InvalidArgumentError, type Command } from 'commander';
import { PRIORITY_MAX, PRIORITY_MIN, type RateLimits, type RateLimitsChange } from '../../contract/rate-limits.ts';
import { Fault } from '../../lib/fault.ts';
import { apiCommand } from '../api-command.ts';
import type { ProcessIo } from '../process-io.ts';
import { option } from '../options.ts';
import { namedValues } from '../text-table.ts';

export interface LimitFlags {
  eventsPerSecond?: number | 'none';
  concurrency?: number | 'none';
}

/** A number above 0, or `none`. */
export function limitValue(text: string): number | 'none' {
  if (text === 'none') return text;
  const value = Number(text);
  if (!(value > 0) || value > 1_000_000)
    throw new InvalidArgumentError('Expected a number above 0, at most 1000000, or none.');
  return value;
}

/** A priority, higher first. */
export function priority(text: string): number {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= PRIORITY_MIN && value <= PRIORITY_MAX))
    throw new InvalidArgumentError(`Expected a whole number from ${PRIORITY_MIN} to ${PRIORITY_MAX}.`);
  return value;
}

export function limitOptions(command: Command, io: ProcessIo): void {
  option(command, io, '--events-per-second <n>', 'max. event calls per second; more are rejected ("none": no limit)', {
    parse: limitValue,
  });
  option(command, io, '--concurrency <n>', 'max. concurrent tasks; more wait in the queue ("none": no limit)', {
    parse: limitValue,
  });
}

/** The change that the flags name; undefined where they name none. */
export function limitsChange({ eventsPerSecond, concurrency }: LimitFlags): RateLimitsChange | undefined {
  if (eventsPerSecond === undefined && concurrency === undefined) return undefined;
  const sent = (value: number | 'none') => (value === 'none' ? null : value);
  return {
    ...(eventsPerSecond === undefined ? {} : { eventsPerSecond: sent(eventsPerSecond) }),
    ...(concurrency === undefined ? {} : { concurrency: sent(concurrency) }),
  };
}

/** `keys limit <id>` and `workflow limit <id>`: shows or changes the limits of one. */
export function limitCommand(group: Command, io: ProcessIo, path: 'keys' | 'workflows', noun: string): void {
  const command = apiCommand(
    group,
    io,
    'limit <id>',
    `change the limits of ${noun}; takes effect immediately`,
    async (session, flags: LimitFlags, id) => {
      const limits = limitsChange(flags);
      if (limits === undefined)
        throw new Fault('USAGE', 'specify a limit: --events-per-second N, --concurrency N, or "none" to remove one');
      const changed = await session.api.call(`${path}.update`, { params: { id: id }, body: { limits } });
      session.show(changed, () => namedValues({ id: changed.id, name: changed.name, ...shown(changed.limits) }));
    },
  );
  limitOptions(command, io);
}

const shown = ({ eventsPerSecond, concurrency }: RateLimits) => ({
  'events a second': eventsPerSecond === null ? 'no limit' : String(eventsPerSecond),
  'concurrent tasks': concurrency === null ? 'no limit' : String(concurrency),
});
