import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Task } from '../../../../contract/tasks.ts';
import { tasksQuery } from '../../../api/jobs.ts';

const SIZE = 200;
/** Pages that a drawing of the whole job reads; a larger job is drawn from its first replicas, and the view says so. */
const MAX_PAGES = 5;

export interface JobTasks {
  /** By replica; undefined until the first page is there. */
  readonly tasks: readonly Task[] | undefined;
  readonly totalItems: number;
  /** Replicas whose tasks are all in `tasks`; Infinity where that is all of them. */
  readonly replicas: number;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly dataUpdatedAt: number;
  refetch(): void;
}

/** The tasks of a job for views that draw all of it; kept live by the stream. */
export function useJobTasks(jobId: string): JobTasks {
  const first = useQuery(tasksQuery(jobId, { page: 0, size: SIZE, sort: 'replica,asc' }));
  const pages = Math.min(first.data?.totalPages ?? 1, MAX_PAGES);
  const more = useQueries({
    queries: Array.from({ length: Math.max(0, pages - 1) }, (_, i) =>
      tasksQuery(jobId, { page: i + 1, size: SIZE, sort: 'replica,asc' }),
    ),
  });
  const stamp = more.map((query) => query.dataUpdatedAt).join(' ');
  const tasks = useMemo(() => {
    if (first.data === undefined) return undefined;
    // Pages are read one by one while tasks are made: one that moved to the next page in between shows once.
    const byId = new Map<string, Task>();
    for (const page of [first.data, ...more.map((query) => query.data)])
      for (const task of page?.items ?? []) byId.set(task.id, task);
    return [...byId.values()];
  }, [first.data, stamp]);
  const totalItems = first.data?.totalItems ?? 0;
  const whole = totalItems <= SIZE * MAX_PAGES;
  return {
    tasks,
    totalItems,
    replicas: whole || tasks === undefined ? Infinity : Math.max(0, ...tasks.map((task) => task.replica)),
    isPending: first.isPending,
    error: first.error ?? more.find((query) => query.error !== null)?.error ?? null,
    dataUpdatedAt: first.dataUpdatedAt,
    refetch() {
      void first.refetch();
      for (const query of more) void query.refetch();
    },
  };
}
