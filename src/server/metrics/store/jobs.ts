import { Fault } from '../../../lib/fault.ts';
import type { QueryEnv, QueryJob } from './port.ts';

/** The queries that run in the reader's thread, by their kind: each gives its answer in pages of bytes. */
export type JobRunner = (args: never, env: QueryEnv) => Iterable<Uint8Array>;

const RUNNERS: Partial<Record<QueryJob['kind'], JobRunner>> = {};

export function runJob({ kind, args }: QueryJob, env: QueryEnv): Iterable<Uint8Array> {
  const runner = RUNNERS[kind];
  if (!runner) throw new Fault('INTERNAL', `no query of the kind ${kind} is known`);
  return runner(args as never, env);
}
