import { LIMITS, type Limits } from '../contract/limits.ts';
import { Fault } from '../lib/fault.ts';
import { variableOf } from './options.ts';

const MAY_BE_ZERO: ReadonlySet<string> = new Set<keyof Limits>(['queueDepth', 'eventsPerSecondPerKey', 'retries', 'retryJitter', 'retryBackoffSeconds', 'eventWaitSeconds', 'drainSeconds']);
const MAY_BE_FRACTION = /Seconds$|^retryJitter$/;

/** The contract's own name for one of them; the regular name works as well. */
const ALIASES: Partial<Record<keyof Limits, string>> = { eventWaitSeconds: 'YARDMASTER_EVENT_WAIT_S' };

/** The variable that sets a limit. */
export const limitVariable = (name: keyof Limits): string => ALIASES[name] ?? variableOf(name);

/** Limits that the environment overrides (docs/limits.md). Throws `USAGE` where a value is none. */
export function limitsFrom(env: Readonly<Record<string, string | undefined>>): Partial<Limits> {
  const limits: Partial<Limits> = {};
  for (const name of Object.keys(LIMITS) as (keyof Limits)[]) {
    for (const variable of new Set([variableOf(name), limitVariable(name)])) {
      const text = env[variable];
      if (text === undefined || text === '') continue;
      limits[name] = parse(name, variable, text);
    }
  }
  return limits;
}

function parse(name: keyof Limits, variable: string, text: string): number {
  const value = Number(text);
  const fraction = MAY_BE_FRACTION.test(name);
  const zero = MAY_BE_ZERO.has(name);
  const most = name === 'retryJitter' ? 1 : Number.MAX_SAFE_INTEGER;
  if (text.trim() === '' || !(value >= 0 && value <= most) || (!fraction && !Number.isInteger(value)) || (!zero && value === 0))
    throw new Fault('USAGE', `${variable} must be a ${fraction ? 'number' : 'whole number'} ${zero ? 'of at least 0' : 'above 0'}${most === 1 ? ' and at most 1' : ''}; it is "${text}"`);
  return value;
}
