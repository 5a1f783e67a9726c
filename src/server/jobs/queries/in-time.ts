import { Fault } from '../../../lib/fault.ts';
import type { JobFilter } from '../../../contract/jobs.ts';

/** Ends the read of a query that takes too long, with its thread. Filters alone have their indexes and need no bound. */
export async function inTime<T>(
  { query }: Pick<JobFilter, 'query'>,
  seconds: number,
  signal: AbortSignal | undefined,
  read: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (query === undefined) return read(signal);
  const late = AbortSignal.timeout(seconds * 1000);
  try {
    return await read(signal ? AbortSignal.any([signal, late]) : late);
  } catch (error) {
    if (!late.aborted || signal?.aborted) throw error;
    throw new Fault(
      'QUERY_TOO_SLOW',
      `the query took longer than ${seconds} s: add a status, a workflow or a time, such as age:<1d`,
    );
  }
}
