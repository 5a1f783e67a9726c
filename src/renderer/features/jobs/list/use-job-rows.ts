import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { type JobListParams, jobsQuery } from '../../../api/jobs.ts';
import type { InfiniteRows } from '../../../ui/DataTable.tsx';
import type { TableQuery } from '../../../ui/table/types.ts';
import { pagesForRange, type RowWindow, mergePages, ROWS_PER_PAGE } from './row-window.ts';

export type JobRowsParams = Omit<JobListParams, 'page' | 'size'> & { readonly sort: string };

/** Pages are read one place at a time: a place that is scrolled past meanwhile is left out. After so long the next is read anyhow. */
const PATIENCE_MS = 1000;
/** Rows that are read in the direction of a fast move. */
const AHEAD = 100;
/** Scrolling rests so long before its place is told. */
const PLACE_MS = 400;
/** A page that was scrolled past is forgotten after so long: the rows around those in sight are kept here, and a long way through the list passes thousands. */
const PASSED_MS = 20_000;
/** Rows of a range that are selected one by one at most. */
export const MAX_RANGE = 2000;

export interface JobRows extends InfiniteRows<Job> {
  readonly query: TableQuery;
  /** Undefined until the first answer. */
  readonly found: number | undefined;
  /** Jobs that came since the rows stand still. */
  readonly news: number;
  /** Takes in what came, and begins at the top. */
  takeNews(): void;
  /** Up to which creation time the rows that are counted now go. */
  until(): Promise<string>;
  /** What is known of jobs that were in sight. */
  jobs(): Iterable<Job>;
}

/** What the reads of rows know of one another. */
interface Reading {
  busy: boolean;
  since: number;
  next: { first: number; last: number; scrolled: boolean };
  timer?: ReturnType<typeof setTimeout>;
  rest?: ReturnType<typeof setTimeout>;
}

/**
 * The jobs that match, as one list of any length of which the pages in sight are read. While somebody works in it (`held`) or
 * has scrolled down, the newest first stand still: what came since is counted, and shown when it is asked for. `base` names
 * the view: rows of another one begin at the top (parameters may move within a view, as time does). `onPlace` hears where scrolling came to rest.
 */
export function useJobRows(
  params: JobRowsParams,
  { base, held, start, onPlace }: { base: string; held: boolean; start: number; onPlace(row: number): void },
): JobRows {
  const client = useQueryClient();
  const key = JSON.stringify(params);
  // Changes with the pages that are in sight, not with every row: the page around the table is drawn anew with it.
  const [sight, setSight] = useState({ first: start, last: start + 40, scrolled: start > 0 });
  const [still, setStill] = useState<{ readonly base: string; readonly at: string } | null>(null);
  const [jumps, setJumps] = useState(0);
  const newestFirst = params.sort === 'createdAt,desc' && params.createdTo === undefined;
  const at = still?.base === base ? still.at : undefined;
  const asked = useMemo(() => (at === undefined ? params : { ...params, createdTo: at }), [key, at]);

  const head = useQuery(jobsQuery({ ...asked, page: 0, size: ROWS_PER_PAGE }));
  const wanted = pagesForRange(sight, head.data?.totalItems ?? Infinity);
  const pages = useQueries({
    queries: wanted.map((page) => ({ ...jobsQuery({ ...asked, page, size: ROWS_PER_PAGE }), gcTime: PASSED_MS })),
  });
  const fresh = useQuery({ ...jobsQuery({ ...params, page: 0, size: 1 }), enabled: at !== undefined });

  const last = useRef(start);
  const kept = useRef<RowWindow<Job>>({ base: '', rows: new Map() });
  const stamp = `${head.isPlaceholderData ? 0 : head.dataUpdatedAt} ${wanted.join(' ')} ${pages.map((query) => (query.isPlaceholderData ? 0 : query.dataUpdatedAt)).join(' ')}`;
  const rows = useMemo(() => {
    // Rows of the question before stay until there is an answer to this one.
    if (head.data === undefined || head.isPlaceholderData) return kept.current.rows;
    const parts = [
      { page: 0, items: head.data.items },
      ...pages.flatMap((query, i) =>
        query.data === undefined || query.isPlaceholderData ? [] : [{ page: wanted[i] ?? 0, items: query.data.items }],
      ),
    ];
    kept.current = mergePages(kept.current, {
      base,
      parts,
      total: head.data.totalItems,
      around: last.current,
      freeze: held && !newestFirst,
    });
    return kept.current.rows;
  }, [stamp, base, key, at]);

  // Where there is no answer, as while the master is gone, what was known of the same view stays.
  const known = useRef<{ base: string; total: number; updatedAt: number } | null>(null);
  if (head.data !== undefined && !head.isPlaceholderData)
    known.current = { base, total: head.data.totalItems, updatedAt: head.dataUpdatedAt };
  const before = head.data === undefined && known.current?.base === base ? known.current : null;
  const counted = head.data?.totalItems ?? before?.total;

  const { scrolled } = sight;
  const newest = rows.get(0)?.createdAt;
  useEffect(() => {
    if (!newestFirst || !(held || scrolled)) return setStill(null);
    if (newest !== undefined && !head.isPlaceholderData)
      setStill((old) => (old?.base === base ? old : { base, at: newest }));
  }, [newestFirst, held, scrolled, base, newest === undefined, head.isPlaceholderData]);

  const newestAt = useRef<string | undefined>(undefined);
  newestAt.current = newest;
  const all = useRef(Infinity);
  all.current = counted ?? Infinity;
  const place = useRef(onPlace);
  place.current = onPlace;
  const reading = useRef<Reading>({
    busy: false,
    since: 0,
    next: sight,
  }).current;
  const take = useCallback(() => {
    clearTimeout(reading.timer);
    const { next } = reading;
    reading.since = performance.now();
    setSight((old) =>
      old.scrolled === next.scrolled &&
      pagesForRange(old, all.current).join() === pagesForRange(next, all.current).join()
        ? old
        : next,
    );
    // Together with the first move, so that its pages are asked for once.
    if (newestFirst && next.scrolled && newestAt.current !== undefined)
      setStill((old) => (old?.base === base ? old : { base, at: newestAt.current as string }));
  }, [base, newestFirst]);
  const busy = pages.some((query) => query.isFetching && (query.data === undefined || query.isPlaceholderData));
  useEffect(() => {
    reading.busy = busy;
    if (!busy) take();
  }, [busy, take]);
  useEffect(
    () => () => {
      clearTimeout(reading.timer);
      clearTimeout(reading.rest);
    },
    [],
  );
  const onSight = useCallback(
    (first: number, end: number, seen: number) => {
      // Who scrolls fast is met where he will be.
      const ahead = Math.max(-AHEAD, Math.min(AHEAD, (first - last.current) * 4));
      last.current = first;
      reading.next = {
        first: Math.max(0, first + Math.min(0, ahead)),
        last: end + Math.max(0, ahead),
        scrolled: seen > 0,
      };
      clearTimeout(reading.rest);
      reading.rest = setTimeout(() => place.current(seen), PLACE_MS);
      const waited = performance.now() - reading.since;
      clearTimeout(reading.timer);
      if (!reading.busy || waited >= PATIENCE_MS) take();
      else reading.timer = setTimeout(take, PATIENCE_MS - waited);
    },
    [take],
  );

  const total = counted ?? 0;
  async function range(from: number, to: number): Promise<readonly Job[] | null> {
    if (to - from >= MAX_RANGE) return null;
    const found: Job[] = [];
    for (let page = Math.floor(from / ROWS_PER_PAGE); page <= Math.floor(to / ROWS_PER_PAGE); page++) {
      const { items } = await client.fetchQuery({
        ...jobsQuery({ ...asked, page, size: ROWS_PER_PAGE }),
        staleTime: 5000,
      });
      found.push(...items.filter((_, i) => page * ROWS_PER_PAGE + i >= from && page * ROWS_PER_PAGE + i <= to));
    }
    return found;
  }
  return {
    total,
    at: (index) => rows.get(index),
    onSight,
    range,
    start,
    version: `${base} ${jumps}`,
    found: counted,
    news:
      at !== undefined && fresh.data !== undefined && !fresh.isPlaceholderData && !head.isPlaceholderData
        ? Math.max(0, fresh.data.totalItems - total)
        : 0,
    takeNews() {
      const first = fresh.data?.items[0];
      if (first !== undefined) setStill({ base, at: first.createdAt });
      setJumps((n) => n + 1);
    },
    async until() {
      if (asked.createdTo !== undefined) return asked.createdTo;
      if (newestFirst && newest !== undefined) return newest;
      const { items } = await client.fetchQuery(jobsQuery({ ...asked, sort: 'createdAt,desc', page: 0, size: 1 }));
      return items[0]?.createdAt ?? new Date().toISOString();
    },
    jobs: () => rows.values(),
    query: {
      isPending: head.isPending,
      isFetching: head.isFetching || pages.some((query) => query.isFetching),
      isPlaceholderData: head.isPlaceholderData && kept.current.base !== base,
      error: head.error ?? pages.find((query) => query.error !== null)?.error ?? null,
      dataUpdatedAt: before?.updatedAt ?? head.dataUpdatedAt,
      refetch() {
        void head.refetch();
        for (const query of pages) void query.refetch();
      },
    },
  };
}
