import type { Limits } from '../contract/limits.ts';
import type { RouteName } from '../contract/routes.ts';
import { isRecord } from './is-record.ts';

/**
 * How the owner of a cluster has a standby read for it. A standby that forwards a request offers to read; the owner lets
 * the caller in, checks the request and, where a copy of the database can answer, says what is to be read, and which turn
 * the copy must hold by then. Both headers go between masters alone.
 */
export const MAY_READ = 'x-yardmaster-may-read';
/** On such an answer, whose body is a `ReadThere`. */
export const READ_THERE = 'x-yardmaster-read-there';

/** A read of the database as the query thread of jobs takes it (`LongReads`). */
export interface CopyRead {
  readonly method: 'list' | 'tasks' | 'payload';
  readonly args: readonly unknown[];
}

/** Limits that such reads and what is made of them depend on: those of the owner hold. */
export const COPY_READ_LIMITS = [
  'payloadPreviewBytes',
  'payloadPageBytes',
  'jobOutputBytes',
  'heavyAnswerBytes',
  'readQueue',
] as const satisfies readonly (keyof Limits)[];
export type CopyReadLimits = Pick<Limits, (typeof COPY_READ_LIMITS)[number]>;

export interface ReadThere extends CopyRead {
  /** Whose answer it is: what operators are shown of it depends on that. */
  readonly route: RouteName;
  /** The copy must hold this turn: the caller may have been told of it. */
  readonly turn: number;
  readonly limits: CopyReadLimits;
}

/** What the owner said; null: another version of the product said something else. */
export function parseReadThere(text: string): ReadThere | null {
  const said: unknown = JSON.parse(text);
  if (!isRecord(said) || !Number.isSafeInteger(said['turn']) || !Array.isArray(said['args'])) return null;
  if (!['list', 'tasks', 'payload'].includes(String(said['method'])) || typeof said['route'] !== 'string') return null;
  const { limits } = said;
  if (!isRecord(limits) || COPY_READ_LIMITS.some((name) => typeof limits[name] !== 'number')) return null;
  // Each member that it depends on was looked at.
  return said as unknown as ReadThere;
}
