import { invalidAt } from '../../../lib/fault.ts';

/** What the audit log calls this master and its own parts. */
const PARTS = ['local', 'master', 'provider', 'unknown', 'yardmaster'];
const PERSONS = ['admin', 'administrator', 'root', 'system'];
const ENDINGS = ['admin', 'bot', 'console', 'local', 'master', 'provider', 'server', 'service', 'system', 'worker'];

/** As it reads: `Yard-Master` as `yardmaster`. */
const read = (name: string): string => name.toLowerCase().replace(/[._@+\s-]/g, '');

const OF_TOKENS: ReadonlySet<string> = new Set([...PARTS, ...ENDINGS.map((ending) => `yardmaster${ending}`)]);
const OF_PEOPLE: ReadonlySet<string> = new Set([...OF_TOKENS, ...PERSONS]);

/** True for a name by which somebody would be taken for this master. */
export const isReservedName = (name: string): boolean => OF_PEOPLE.has(read(name));

/** Throws VALIDATION_FAILED for a sign-in name that reads as the master itself. */
export function refuseReservedName(name: string, pointer: string): void {
  if (isReservedName(name)) throw refusal(name, pointer);
}

/** The same of a token that belongs to nobody: its name is all that the audit log has. */
export function refuseReservedTokenName(name: string): void {
  if (OF_TOKENS.has(read(name))) throw refusal(name, '/name');
}

const refusal = (name: string, pointer: string) =>
  invalidAt(
    pointer,
    `${JSON.stringify(name)} would be taken for the master itself: choose another name`,
    'is a name of the master itself',
  );
