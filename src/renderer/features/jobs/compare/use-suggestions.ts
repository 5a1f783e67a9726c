import { useQuery } from '@tanstack/react-query';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { jobQuery, jobsQuery } from '../../../api/jobs.ts';
import { lineageQuery } from '../../../api/reruns.ts';
import { publicationsQuery } from '../../../api/workflows.ts';

export interface Suggestion {
  readonly job: Job;
  /** Why it is worth comparing with. */
  readonly why: string;
}

const PUBLICATIONS = 100;

/** Runs that this one is worth comparing with, the best first; each once. Each comes once those before it are known: none changes its place, or is chosen instead. */
export function useSuggestions(job: Job): { suggestions: readonly Suggestion[]; isPending: boolean } {
  const same = {
    page: 0,
    size: 2,
    sort: 'createdAt,desc',
    workflowId: job.workflowId,
    ...(job.environment === null ? {} : { environment: job.environment }),
  };
  const success = useQuery(jobsQuery({ ...same, status: ['COMPLETED'], createdTo: job.createdAt }));
  const needsLater = success.data !== undefined && others(success.data.items, job) === undefined;
  const later = useQuery({ ...jobsQuery({ ...same, status: ['COMPLETED'] }), enabled: needsLater });
  const publications = useQuery(publicationsQuery(job.workflowId, { page: 0, size: PUBLICATIONS }));
  // The newest publication of the job's own commit that was there when it was made.
  const published = publications.data?.items.find(
    (one) => one.environment === job.environment && one.hash === job.commit && one.publishedAt <= job.createdAt,
  )?.publishedAt;
  const before = useQuery({ ...jobsQuery({ ...same, createdTo: published }), enabled: published !== undefined });
  const source = useQuery({ ...jobQuery(job.rerunOf ?? ''), enabled: job.rerunOf !== null });
  const reruns = useQuery(lineageQuery({ rerunOf: job.id }));

  const asked = (query: { readonly isPending: boolean }, isNeeded: boolean, one: Suggestion | null): Found =>
    isNeeded && query.isPending ? 'pending' : one;
  return firstSuggestions([
    asked(
      source,
      job.rerunOf !== null,
      source.data && job.rerunOf !== null ? { job: source.data, why: t('Original run') } : null,
    ),
    asked(success, true, reason(others(success.data?.items, job), t('Previous successful run'))),
    publications.isPending
      ? 'pending'
      : asked(
          before,
          published !== undefined,
          reason(
            others(published === undefined ? undefined : before.data?.items, job),
            t('Last run on the previous version'),
          ),
        ),
    asked(reruns, true, reason(others(reruns.data?.items, job), t('Latest rerun'))),
    asked(later, needsLater, reason(others(later.data?.items, job), t('Latest successful run'))),
  ]);
}

/** What a query says of one: that it is not known yet, or that there is none. */
type Found = Suggestion | 'pending' | null;

/** Those that are known, up to the first that is not. One job may be worth it for two reasons. */
export function firstSuggestions(found: readonly Found[]): { suggestions: readonly Suggestion[]; isPending: boolean } {
  const byId = new Map<string, Suggestion>();
  for (const one of found) {
    if (one === 'pending') return { suggestions: [...byId.values()], isPending: true };
    if (one)
      byId.set(one.job.id, {
        job: one.job,
        why: byId.has(one.job.id) ? `${byId.get(one.job.id)?.why} · ${one.why}` : one.why,
      });
  }
  return { suggestions: [...byId.values()], isPending: false };
}

const others = (jobs: readonly Job[] | undefined, job: Job): Job | undefined => jobs?.find(({ id }) => id !== job.id);
const reason = (job: Job | undefined, why: string): Suggestion | null => (job === undefined ? null : { job, why });
