import type { Browser, Page } from '@playwright/test';

/** The longest task of a page's main thread, in milliseconds: of the processor, which other processes do not lengthen, and by the clock. */
export interface LongestTask {
  cpuMs: number;
  wallMs: number;
  /** Tasks of more than 50 ms of the processor. */
  long: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds by the clock, and of the thread's processor time. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** What Chromium's own trace tells of the page's tasks during an act. */
export async function longestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<LongestTask> {
  await browser.startTracing(page, {
    categories: ['toplevel', 'disabled-by-default-devtools.timeline', 'devtools.timeline'],
  });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}.${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid, tdur }) =>
      name.endsWith('RunTask') && ph === 'X' && tdur !== undefined && mains.has(`${pid}.${tid}`),
  );
  if (tasks.length === 0) throw new Error('the trace holds no task with its processor time');
  return {
    cpuMs: Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
    wallMs: Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1000,
    long: tasks.filter(({ tdur = 0 }) => tdur > 50_000).length,
  };
}
