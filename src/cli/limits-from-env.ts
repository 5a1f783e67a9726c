import { limitFault } from '../contract/limit-fault.ts';
import { LIMITS, type Limits } from '../contract/limits.ts';
import { Fault } from '../lib/fault.ts';
import { environmentVariable } from '../lib/environment-variable.ts';

/** The contract's own name for one of them; the regular name works as well. */
const ALIASES: Partial<Record<keyof Limits, string>> = { eventWaitSeconds: 'YARDMASTER_EVENT_WAIT_S' };

/** The variable that sets a limit. */
export const limitVariable = (name: keyof Limits): string => ALIASES[name] ?? environmentVariable(name);

/** Limits that the environment overrides (docs/limits.md). Throws `USAGE` where a value is none. */
export function limitsFromEnv(env: Readonly<Record<string, string | undefined>>): Partial<Limits> {
  const limits: Partial<Limits> = {};
  for (const name of Object.keys(LIMITS) as (keyof Limits)[]) {
    for (const variable of new Set([environmentVariable(name), limitVariable(name)])) {
      const text = env[variable];
      if (text === undefined || text === '') continue;
      limits[name] = parse(name, variable, text);
    }
  }
  return limits;
}

function parse(name: keyof Limits, variable: string, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const fault = limitFault(name, value);
  if (fault !== null) throw new Fault('USAGE', `${variable} ${fault}; got "${text}"`);
  return value;
}
