import type { Alert } from '../../../contract/alerts.ts';
import { ENVIRONMENTS, type Environment } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';

/** A place that an alert leads to; `href` with its view state, as the address has it. */
export interface AlertLink {
  readonly name: string;
  readonly href: string;
}

/** The place that is most telling of an alert: there is one of every alert. */
export const firstAlertLink = (alert: Parameters<typeof alertLinks>[0]): string =>
  alertLinks(alert)[0]?.href ?? '/alerts';

/** What came shortly before an alert is looked at with it. */
const BEFORE_MS = 10 * 60_000;

/** Where an operator looks next: what its labels name, from shortly before it began until it ended, the most telling first. */
export function alertLinks({
  labels,
  startsAt,
  activeAt,
  endsAt,
}: Pick<Alert, 'labels' | 'startsAt' | 'activeAt' | 'endsAt'>): AlertLink[] {
  const from = new Date(Date.parse(startsAt ?? activeAt) - BEFORE_MS).toISOString();
  const until: Record<string, string> = endsAt === null ? {} : { to: new Date(endsAt).toISOString() };
  const workflow = labels['workflow_id'] ?? labels['workflow'];
  const job = labels['job_id'];
  const worker = labels['worker_id'];
  const environment = ENVIRONMENTS.find((one): one is Environment => one === labels['environment']);
  const where = {
    ...(workflow === undefined ? {} : { workflow }),
    ...(environment === undefined ? {} : { environment }),
  };
  return [
    ...(job === undefined ? [] : [{ name: t('Job'), href: `/jobs/${encodeURIComponent(job)}` }]),
    ...(worker === undefined ? [] : [{ name: t('Worker'), href: address('/workers', { worker }) }]),
    ...(workflow === undefined && environment === undefined
      ? []
      : [
          { name: t('Failures'), href: address('/failures', where) },
          {
            name: t('Jobs failed since then'),
            href: address('/jobs', { ...where, status: ['FAILED'], from, ...until }),
          },
        ]),
    ...(workflow === undefined
      ? []
      : [
          {
            name: t('Workflow and versions'),
            href: address(`/workflows/${encodeURIComponent(workflow)}`, { tab: 'publish' }),
          },
        ]),
    {
      name: t('Logs from that time'),
      href: address('/logs', {
        from,
        ...until,
        ...(job === undefined ? {} : { job }),
        ...(worker === undefined ? {} : { worker }),
      }),
    },
  ];
}

/** View state as the router writes it: texts plain, a list as its name repeated. */
function address(path: string, search: Readonly<Record<string, string | readonly string[]>>): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => [name, one]),
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
}
