import type { ConcurrencyLimit, LimitedJob, ConcurrencyLimits } from './port.ts';

const NONE: readonly ConcurrencyLimit[] = [];

export function createConcurrencyLimits(): ConcurrencyLimits {
  const workflows = new Map<string | number, ConcurrencyLimit>();
  const keys = new Map<string | number, ConcurrencyLimit>();
  const limits = {
    any: false,
    forJob: ({ plan, keySeq }: LimitedJob): readonly ConcurrencyLimit[] =>
      limits.any ? limits.forIds(plan.workflowId, keySeq) : NONE,
    forIds(workflowId: string, keySeq: number | null): readonly ConcurrencyLimit[] {
      const workflow = workflows.get(workflowId);
      const key = keySeq === null ? undefined : keys.get(keySeq);
      if (!workflow) return key ? [key] : NONE;
      return key ? [workflow, key] : [workflow];
    },
    find: (scope: ConcurrencyLimit['scope'], id: string | number) => (scope === 'workflow' ? workflows : keys).get(id),
    set(scope: ConcurrencyLimit['scope'], id: string | number, name: string, most: number | null, used: number) {
      const known = scope === 'workflow' ? workflows : keys;
      if (most === null) known.delete(id);
      else known.set(id, { scope, id, name, most, used });
      limits.any = workflows.size + keys.size > 0;
    },
    acquire(job: LimitedJob) {
      for (const limit of limits.forJob(job)) limit.used++;
    },
    release(job: LimitedJob) {
      for (const limit of limits.forJob(job)) limit.used--;
    },
  };
  return limits;
}

export const allHaveRoom = (limits: readonly ConcurrencyLimit[]): boolean =>
  limits.every(({ used, most }) => used < most);
