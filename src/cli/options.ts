import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ProcessIo } from './process-io.ts';
import { environmentVariable } from '../lib/environment-variable.ts';

/** Options as the contract wants them: each is an environment variable too (`--log-store-port` = `YARDMASTER_LOG_STORE_PORT`). */

const OFF = new Set(['', '0', 'false', 'no', 'off']);

/** Variables that mean something else: the Node that the desktop app starts a master with. */
const OTHERS = new Set(['YARDMASTER_NODE']);

/** Adds an option with its environment variable. An empty variable counts as not set, and so does `0` or `false` for a switch. */
export function option<T>(
  command: Command,
  io: Pick<ProcessIo, 'env'>,
  flags: string,
  description: string,
  settings: { parse?: (text: string, before: T) => T; fallback?: T; choices?: readonly string[] } = {},
): Command {
  const made = new Option(flags, description);
  const variable = environmentVariable(made.name());
  const value = io.env[variable];
  const isSwitch = !made.required && !made.optional;
  if (!OTHERS.has(variable) && (value === undefined || (isSwitch ? !OFF.has(value.toLowerCase()) : value !== '')))
    made.env(variable);
  if (settings.fallback !== undefined) made.default(settings.fallback);
  // Commander hands over what the last call gave, or the fallback: both are of the one type.
  if (settings.parse) made.argParser(settings.parse as (text: string, before: unknown) => unknown);
  if (settings.choices) made.choices(settings.choices);
  return command.addOption(made);
}

/** A whole number within bounds. */
export const integer =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
    return value;
  };

/** 0 means any free port. */
export const port = integer(0, 65_535);

/** One value of a list; the environment gives several with commas between. */
export const list = (text: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  ...text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
];

/** A list, or a switch where the value is left out or the variable only says yes or no. */
export const listOrSwitch = (text: string, before: string[] | boolean | undefined): string[] | boolean => {
  const word = text.trim().toLowerCase();
  if (OFF.has(word)) return false;
  return ['1', 'true', 'yes', 'on'].includes(word) ? true : list(text, Array.isArray(before) ? before : undefined);
};

export const MS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 };
/** A time that the API takes: ISO 8601, or how long ago (`15m`, `2h`, `7d`). */
export function time(text: string, now: number = Date.now()): string {
  const [, count, unit = ''] = /^(\d+)(s|m|h|d)$/.exec(text) ?? [];
  const ms = MS[unit];
  if (ms !== undefined) return new Date(now - Number(count) * ms).toISOString();
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError('Expected a time such as 2026-01-31T12:00:00Z, or an age such as 15m, 2h, 7d.');
  return new Date(at).toISOString();
}
