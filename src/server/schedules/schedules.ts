import type { Limits } from '../../contract/limits.ts';
import type { Access } from '../access/port.ts';
import type { Expressions } from '../expressions/port.ts';
import type { Feed } from '../feed/port.ts';
import type { Jobs } from '../jobs/port.ts';
import type { Store } from '../store/port.ts';
import type { Runnable, Workflows } from '../workflows/port.ts';
import type { Schedules } from './port.ts';
import * as sql from './sql.ts';

export interface SchedulesDeps {
  readonly store: Store;
  readonly jobs: Pick<Jobs, 'submitOnce' | 'kill' | 'operations'>;
  readonly workflows: Pick<Workflows, 'endpoint'>;
  /** True for a workflow that is there and not archived. */
  isActive(workflowId: string): Promise<boolean>;
  readonly expressions: Pick<Expressions, 'evaluate'>;
  /** Throws INPUT_INVALID. */
  checkInputs(runnable: Runnable, inputs: readonly unknown[]): Promise<void>;
  readonly audit: Pick<Access['audit'], 'record'>;
  readonly feed: Pick<Feed, 'publish'>;
  readonly limits: Readonly<Limits>;
  now(): number;
  onError(error: unknown): void;
}

/** Starts jobs at their due times (docs/schedules.md). A master without schedules loads and does nothing of it. */
export function createSchedules(deps: SchedulesDeps): Schedules {
  const { read } = deps.store;
  let opened: Promise<Omit<Schedules, 'trouble'>> | null = null;
  let closed = false;
  const open = () => (opened ??= import('./service.ts').then(({ openSchedules }) => openSchedules(deps)));
  const isUsed = () => read.query(sql.ANY).get() !== undefined;
  if (isUsed())
    open().catch((error: unknown) => {
      opened = null;
      deps.onError(error);
    });

  return {
    list: async (query) => (await open()).list(query),
    get: async (id) => (await open()).get(id),
    create: async (...given) => (await open()).create(...given),
    update: async (...given) => (await open()).update(...given),
    remove: async (...given) => (await open()).remove(...given),
    setPaused: async (...given) => (await open()).setPaused(...given),
    run: async (...given) => (await open()).run(...given),
    runs: async (...given) => (await open()).runs(...given),
    backfillCount: async (...given) => (await open()).backfillCount(...given),
    backfill: async (...given) => (await open()).backfill(...given),
    preview: async (query) => (await open()).preview(query),
    trouble: (from) =>
      closed
        ? []
        : read
            .query<{ id: string; workflow: string; environment: string; missed: number; late: number }>(sql.TROUBLE)
            .all(from)
            .map(({ id, workflow, ...rest }) => ({ scheduleId: id, workflowId: workflow, ...rest })),
    async close() {
      closed = true;
      await (await opened?.catch(() => null))?.close();
    },
  };
}
