import type { Filter, Pipe, Query } from '../../../lib/logsql/ast.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Arrivals, BlockSource } from '../store/port.ts';
import type { FilterContext } from './filter/evaluate.ts';
import type { Frame } from './frame.ts';

/** Frames on their way; null: work goes on, and who drives the query may look after other things. */
export type Frames = Iterable<Frame | null>;
export type Stage = (frames: Frames) => Frames;

export interface RunOptions {
  /** Unix ms, `from` inclusive, `to` exclusive; null: open. */
  readonly from: number | null;
  readonly to: number | null;
  /** At most so many rows, where the query neither sorts nor counts in `order` of time; null: all. */
  readonly limit: number | null;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  /** Unix ms. */
  readonly now: number;
  /** LogsQL filters joined with `and`. */
  readonly extraFilters: readonly string[];
  readonly timeoutMs: number;
  /** Only rows that are new to the caller. */
  readonly arrivals?: Arrivals | undefined;
  /** Bytes that sorting, grouping and the like may hold. */
  readonly stateBytes: number;
  /** Asked every few milliseconds of work. */
  cancelled(): boolean;
}

/** What the stages of one run share. */
export interface Run {
  readonly source: BlockSource;
  readonly options: RunOptions;
  /** The filter with everything joined to it. */
  readonly filter: Filter;
  readonly pipes: readonly Pipe[];
  readonly moment: FilterContext;
  /** Throws where the query was cancelled or takes too long. */
  check(): void;
  /** Throws QUERY_TOO_LARGE where the query holds more than it may. */
  hold(bytes: number): void;
  /** Values of the subqueries of this run, which run before it. */
  readonly lists: Map<Query, ReadonlySet<string>>;
  /** Runs a query within this one. */
  inner(query: Query): Frames;
}

/** Thrown through the stages when the caller wants no more. */
export const cancelledFault = (): Fault => new Fault('QUERY_CANCELLED', 'the query was cancelled');

/** The two guards of a run. */
export function createGuards(options: RunOptions, clock: () => number): Pick<Run, 'check' | 'hold'> {
  const deadline = clock() + options.timeoutMs;
  let held = 0;
  return {
    check() {
      if (options.cancelled()) throw cancelledFault();
      if (clock() > deadline)
        throw new Fault(
          'QUERY_TIMEOUT',
          `the query took longer than ${options.timeoutMs / 1000} s: narrow the time range, or filter by a job or task`,
        );
    },
    hold(bytes) {
      held += bytes;
      if (held > options.stateBytes) {
        throw new Fault(
          'QUERY_TOO_LARGE',
          `the query needs more than ${Math.round(options.stateBytes / 1024 / 1024)} MB to sort or group rows: narrow the time range or the filter, group by fields with fewer values, or add a limit`,
        );
      }
    },
  };
}
