import { itemAt } from '../../../lib/item-at.ts';
import type { Filter, Pipe, Query } from '../../../lib/logsql/ast.ts';
import { readFilter } from './parse.ts';
import type { BlockSource } from '../store/port.ts';
import { compileFilter } from './filter/evaluate.ts';
import { hintsOf } from './filter/hints.ts';
import { eachBlock, eachCount, firstByTime, inOrder } from './merge-by-time.ts';
import { pagesOf } from './output.ts';
import { limitStage } from './pipes/simple.ts';
import { stageOf } from './pipes/stages.ts';
import { needsOf } from './needs.ts';
import type { Frame } from './frame.ts';
import { hasSubqueries, runSubqueries } from './subqueries.ts';
import { type Frames, createGuards, type Run, type RunOptions } from './run-context.ts';

/** Pipes that take row for row, so that the newest rows of the store are the newest of the result. */
const ROW_WISE: ReadonlySet<Pipe['kind']> = new Set<Pipe['kind']>([
  'fields',
  'delete',
  'rename',
  'copy',
  'filter',
  'extract',
  'extract_regexp',
  'unpack_json',
  'unpack_logfmt',
  'format',
  'math',
  'replace',
  'replace_regexp',
  'len',
  'pack_json',
  'pack_logfmt',
  'sample',
  'drop_empty_fields',
  'decolorize',
  'json_array_len',
  'unroll',
  'limit',
  'offset',
]);
/** Of these, those that look at no other row. */
const EACH_ROW: ReadonlySet<Pipe['kind']> = new Set(
  [...ROW_WISE].filter((kind) => kind !== 'sample' && kind !== 'limit' && kind !== 'offset'),
);
/** These read blocks for a query of their own. */
const WITH_OTHERS: ReadonlySet<Pipe['kind']> = new Set<Pipe['kind']>(['union', 'join', 'stream_context']);
const LATEST = Date.UTC(9999, 11, 31);

/** Nothing of a row is asked for but that it is there. */
const isCounting = (pipes: readonly Pipe[]): boolean => pipes[0]?.kind === 'stats' && needsOf(pipes)?.size === 0;

/**
 * Runs a query over blocks. Gives pages of NDJSON of at most 256 KB, and null where work goes on without a page yet, every
 * few milliseconds, so that who drives it may look after other queries and let this one go (`return()`).
 * `clean`: what is made of each object's text. Throws QUERY_INVALID, QUERY_TOO_LARGE, QUERY_TIMEOUT, QUERY_CANCELLED.
 */
export function runQuery(
  query: Query,
  source: BlockSource,
  options: RunOptions,
  clean?: (record: string) => string,
): Generator<Uint8Array | null> {
  return pagesOf(framesOf(query, source, options), clean);
}

/**
 * How a thread can help another one with a query: both run it, each over some of the blocks, and the result is all that
 * either finds, in no order (`rows`); or it only counts rows of some blocks (`countsOf`). Null: not at all.
 */
export function sharing(query: Query, options: RunOptions): 'rows' | 'count' | null {
  if (hasSubqueries([query.filter, ...options.extraFilters.map(readFilter)], query.pipes)) return null;
  if (isCounting(query.pipes)) return query.pipes.some(({ kind }) => WITH_OTHERS.has(kind)) ? null : 'count';
  return options.limit === null && options.offset === 0 && query.pipes.every(({ kind }) => EACH_ROW.has(kind))
    ? 'rows'
    : null;
}

/** How many rows of each block the filter of a query finds; null: none. */
export function* countsOf(query: Query, source: BlockSource, options: RunOptions): Generator<number | null> {
  const guards = createGuards(options, () => performance.now());
  for (const frame of scan(createRun(query, source, options, guards), null)) yield frame?.rows ?? null;
}

/** The same, as frames. */
export function* framesOf(query: Query, source: BlockSource, options: RunOptions): Generator<Frame | null> {
  const run = createRun(
    query,
    source,
    options,
    createGuards(options, () => performance.now()),
  );
  yield* runSubqueries(run);
  yield* result(run, options);
}

function result(run: Run, options: RunOptions): Frames {
  const pipes = sortedFew(run.pipes, options);
  const first = pipes[0];
  if (first?.kind === 'sort' && first.partition.length === 0 && first.by[0]?.field === '_time') {
    const order = first.by[0].desc ? 'desc' : 'asc';
    // By time alone nothing needs to be kept: blocks come in that order.
    if (first.by.length === 1 && first.rank === null) {
      const sorted = limitStage(first.offset, first.limit)(scan(run, order));
      return limited(through(sorted, pipes.slice(1), run), options);
    }
    // By more, only rows of one instant are still to be sorted: what comes after enough rows is not read.
    if (first.limit !== null)
      return limited(through(firstByTime(scan(run, order), first.offset + first.limit), pipes, run), options);
  }
  const ordered = options.limit !== null && pipes.every(({ kind }) => ROW_WISE.has(kind));
  return limited(through(scan(run, ordered ? options.order : null), pipes, run), options);
}

/** A sort keeps no more rows than the limit behind it lets through. */
function sortedFew(pipes: readonly Pipe[], { limit, offset }: RunOptions): readonly Pipe[] {
  return pipes.map((pipe, i) => {
    if (pipe.kind !== 'sort' || pipe.limit !== null || pipe.partition.length > 0) return pipe;
    const next = pipes[i + 1];
    if (next?.kind === 'limit') return { ...pipe, limit: next.n };
    return next === undefined && limit !== null ? { ...pipe, limit: limit + offset } : pipe;
  });
}

const limited = (frames: Frames, { limit, offset }: RunOptions): Frames =>
  limit === null && offset === 0 ? frames : limitStage(offset, limit)(frames);

function through(frames: Frames, pipes: readonly Pipe[], run: Run): Frames {
  return pipes.reduce((input, pipe, i) => stageOf(pipe, pipes.slice(i + 1), run)(input), frames);
}

function scan(run: Run, order: 'asc' | 'desc' | null): Frames {
  const matcher = compileFilter(run.filter, run.moment);
  const isCount = order === null && isCounting(run.pipes);
  const hints = { ...hintsOf(run.filter, run.moment.now), arrivals: run.options.arrivals };
  const blocks = run.source.blocks(hints, order ?? 'asc', isCount);
  if (order !== null) return inOrder(blocks, matcher, order, run);
  return isCount ? eachCount(blocks, matcher, run) : eachBlock(blocks, matcher, run);
}

function createRun(query: Query, source: BlockSource, options: RunOptions, guarded: Pick<Run, 'check' | 'hold'>): Run {
  const filter = joined([...boundary(options), query.filter, ...options.extraFilters.map(readFilter)]);
  const lists: Run['lists'] = new Map();
  function* inner(other: Query): Generator<Frame | null> {
    const run = createRun(other, source, { ...options, arrivals: undefined }, guarded);
    yield* runSubqueries(run);
    yield* through(scan(run, null), run.pipes, run);
  }
  const values = (other: Query): ReadonlySet<string> => {
    const found = lists.get(other);
    if (found === undefined) throw new Error('a subquery was not run');
    return found;
  };
  return {
    source,
    options,
    filter,
    pipes: query.pipes,
    moment: { now: BigInt(Math.floor(options.now)) * 1_000_000n, check: guarded.check, values },
    lists,
    inner,
    ...guarded,
  };
}

function joined(parts: readonly Filter[]): Filter {
  const real = parts.filter(({ kind }) => kind !== 'all');
  return real.length === 1 ? itemAt(real, 0) : real.length === 0 ? { kind: 'all' } : { kind: 'and', parts: real };
}

/** The span asked for beside the query, as a filter. */
function boundary({ from, to }: RunOptions): Filter[] {
  const text = (ms: number) => new Date(Math.min(Math.max(Math.ceil(ms), 0), LATEST)).toISOString();
  const one = (op: '>=' | '<', ms: number): Filter => ({
    kind: 'time',
    spec: { kind: 'compare', op, text: text(ms) },
    offset: null,
  });
  return [...(from === null ? [] : [one('>=', from)]), ...(to === null ? [] : [one('<', to)])];
}
