import type { Panel } from '../../../contract/dashboards.ts';

/** What Grafana fills in: the ends of the time that it shows. */
const RANGE = 'from=${__from:date:iso}&to=${__to:date:iso}';

/** Where a series of these tags leads in the console. Ids are letters, digits and hyphens. */
const OF_TAGS: Readonly<Record<string, { title: string; path: string }>> = {
  job_id: { title: 'Open job', path: '/jobs/${__field.labels.job_id}' },
  workflow_id: { title: 'Jobs of this workflow', path: `/jobs?workflow=\${__field.labels.workflow_id}&${RANGE}` },
};

const link = (title: string, url: string): object => ({ title, url, targetBlank: true });

/** Data links of a panel: from a point or a legend to the job, or to the jobs, that it shows. */
export function panelLinks({ queries }: Pick<Panel, 'queries'>, consoleUrl: string | null): object[] {
  if (consoleUrl === null) return [];
  const tags = new Set(queries.flatMap((query) => (query.source === 'metrics' ? (query.groupBy ?? []) : [])));
  return [...tags].flatMap((tag) => {
    const known = OF_TAGS[tag];
    return known ? [link(known.title, `${consoleUrl}${known.path}`)] : [];
  });
}

/** From the head of a dashboard to the same one in the console, and to the jobs of the time that is shown. */
export const dashboardLinks = (id: string, consoleUrl: string | null): object[] =>
  consoleUrl === null
    ? []
    : [
        { title: 'Open in Yardmaster', path: `/dashboards/${id}?${RANGE}` },
        { title: 'Jobs', path: `/jobs?${RANGE}` },
      ].map(({ title, path }) => ({
        ...link(title, `${consoleUrl}${path}`),
        ...{ type: 'link', icon: 'external link', tooltip: '', tags: [], asDropdown: false },
        ...{ includeVars: false, keepTime: false },
      }));

/**
 * For the data source of the logs: the job of a line, and its task. Written for files, where Grafana replaces variables
 * of its environment, so a `$` is written twice.
 */
export const logLinks = (consoleUrl: string | null): object[] =>
  consoleUrl === null
    ? []
    : [
        {
          name: 'Job',
          matcherType: 'label',
          matcherRegex: 'job_id',
          url: `${consoleUrl}/jobs/$\${__value.raw}`,
          urlDisplayLabel: 'Open job',
        },
      ];
