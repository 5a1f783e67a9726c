import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Task } from '../../../../contract/tasks.ts';
import { tasksQuery } from '../../../api/jobs.ts';

/** Rows read at once. */
export const ROWS_PER_PAGE = 100;

export interface TaskRows {
  readonly totalItems: number;
  readonly isPending: boolean;
  readonly error: unknown;
  /** The task at a place in the order of replicas; undefined until its page is there. */
  at(index: number): Task | undefined;
  refetch(): void;
}

/** The tasks of a job of any size, of which only the pages in sight are read. `first` and `last`: the rows in sight. */
export function useTaskRows(jobId: string, first: number, last: number): TaskRows {
  const paramsOf = (page: number) => ({ page, size: ROWS_PER_PAGE, sort: 'replica,asc' });
  const head = useQuery(tasksQuery(jobId, paramsOf(0)));
  const from = Math.floor(Math.max(0, first) / ROWS_PER_PAGE);
  const to = Math.floor(Math.max(0, last) / ROWS_PER_PAGE);
  const pages = useQueries({
    queries: Array.from({ length: to - from + 1 }, (_, i) => tasksQuery(jobId, paramsOf(from + i))),
  });
  const stamp = pages.map((query) => (query.isPlaceholderData ? 0 : query.dataUpdatedAt)).join(' ');
  const rows = useMemo(() => {
    const byIndex = new Map<number, Task>();
    // What stands in for a page that is on its way is another page.
    for (const [i, query] of pages.entries())
      if (!query.isPlaceholderData)
        for (const [place, task] of (query.data?.items ?? []).entries())
          byIndex.set((from + i) * ROWS_PER_PAGE + place, task);
    return byIndex;
  }, [from, to, stamp]);
  return {
    totalItems: head.data?.totalItems ?? 0,
    isPending: head.isPending,
    error: head.error ?? pages.find((query) => query.error !== null)?.error ?? null,
    at: (index) => rows.get(index),
    refetch() {
      void head.refetch();
      for (const query of pages) void query.refetch();
    },
  };
}
