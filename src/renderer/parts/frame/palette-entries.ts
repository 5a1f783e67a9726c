import { IconArrowRight, IconContrast, IconHash, IconKeyboard, IconListDetails, IconPlus, IconRefresh, IconRoute, IconServer2, IconSubtask, type TablerIcon } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { t } from '../../../lib/language.ts';
import { jobsQuery, taskQuery } from '../../api/jobs.ts';
import { workersQuery } from '../../api/workers.ts';
import { workflowsQuery } from '../../api/workflows.ts';
import { usePreferences, useStores } from '../../stores/context.tsx';
import { useRole } from '../../stores/role.ts';
import { sayFailed } from '../../ui/toasts.tsx';
import { whyNoCreate } from '../workflow-publish/rules.ts';
import { NAV } from './nav.ts';

export interface PaletteEntry {
  id: string;
  /** The heading over it, in the reader's language. */
  group: string;
  label: string;
  hint?: string;
  icon: TablerIcon;
  run(): void;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ID_START = /^[0-9a-f-]{4,36}$/;

/** What the palette offers for a text. `text` is trimmed; `asked` is the same, a moment later, for what the master looks up. */
export function useEntries(text: string, asked: string, onShortcuts: () => void): PaletteEntry[] {
  const router = useRouter();
  const client = useQueryClient();
  const { live } = useStores();
  const preferences = usePreferences((p) => p);
  const { role } = useRole();
  const go = (href: string) => void router.navigate({ href });
  const lower = text.toLowerCase();
  const matches = (label: string) => lower === '' || label.toLowerCase().includes(lower);

  const { data: workflows } = useQuery({ ...workflowsQuery({ q: asked, size: 6 }), enabled: asked !== '' });
  const { data: jobs } = useQuery({ ...jobsQuery({ q: asked, size: 5 }), enabled: asked.length > 2 && !UUID.test(asked) });
  const { data: workers } = useQuery({ ...workersQuery({ size: 100 }), enabled: asked !== '' });

  const entries: PaletteEntry[] = [];
  if (UUID.test(lower)) {
    entries.push({ id: 'job', group: t('Go to'), label: t('Job {lower}', { lower }), icon: IconListDetails, run: () => go(`/jobs/${lower}`) });
    const openTask = () =>
      void client.fetchQuery(taskQuery(lower)).then(
        (task) => go(`/jobs/${task.jobId}?task=${task.id}`),
        (error: unknown) => sayFailed(t('The task could not be opened'), error),
      );
    entries.push({ id: 'task', group: t('Go to'), label: t('Task {lower}', { lower }), icon: IconSubtask, run: openTask });
  }
  for (const entry of NAV) if (matches(entry.label)) entries.push({ id: entry.to, group: t('Go to'), label: entry.label, hint: `g ${entry.key}`, icon: entry.icon, run: () => go(entry.to) });
  if (text !== '') {
    for (const flow of workflows?.items ?? []) entries.push({ id: `w-${flow.id}`, group: t('Workflows'), label: flow.name, hint: flow.id, icon: IconRoute, run: () => go(`/workflows/${flow.id}`) });
    for (const job of jobs?.items ?? []) entries.push({ id: `j-${job.id}`, group: t('Jobs'), label: job.externalId ?? job.id, hint: `${job.workflowId}, ${job.status}`, icon: IconHash, run: () => go(`/jobs/${job.id}`) });
    const found = (workers?.items ?? []).filter((worker) => worker.id.includes(lower) || worker.url.includes(lower)).slice(0, 5);
    for (const worker of found) entries.push({ id: `k-${worker.id}`, group: t('Workers'), label: worker.url || worker.id, hint: worker.state, icon: IconServer2, run: () => go(`/workers?worker=${worker.id}`) });
    if (!ID_START.test(lower) || text.length > 2) entries.push({ id: 'find-jobs', group: t('Jobs'), label: t('Jobs whose id or external id begins with “{text}”', { text }), icon: IconArrowRight, run: () => go(`/jobs?q=${encodeURIComponent(text)}`) });
  }

  const action = (id: string, label: string, icon: TablerIcon, run: () => void, hint?: string) => {
    if (matches(label)) entries.push({ id, group: t('Actions'), label, icon, run, ...(hint ? { hint } : {}) });
  };
  if (whyNoCreate(role) === null) action('new-workflow', t('New workflow'), IconPlus, () => go('/workflows?create=true'));
  action('failed', t('Show jobs that failed'), IconListDetails, () => go('/jobs?status=%5B%22FAILED%22%2C%22PARTIAL_FAILURE%22%2C%22TIMEOUT%22%2C%22MIXED%22%5D'));
  action('alert-rules', t('Alert rules'), IconListDetails, () => go('/alerts?tab=rules'));
  action('silences', t('Silences of alerts'), IconListDetails, () => go('/alerts?tab=silences'));
  action('channels', t('Alert channels'), IconListDetails, () => go('/alerts?tab=channels'));
  action('operations', t('Bulk operations'), IconListDetails, () => go('/operations'));
  action('create', t('Create a workflow'), IconRoute, () => go('/workflows?create=true'));
  action('keys', t('Create an API key'), IconArrowRight, () => go('/settings?tab=keys'));
  action('refresh', t('Read everything again'), IconRefresh, () => live.retryNow());
  for (const theme of ['light', 'dark', 'system'] as const) if (theme !== preferences.theme) action(`theme-${theme}`, t('Theme: {theme}', { theme }), IconContrast, () => preferences.set({ theme }));
  for (const density of ['compact', 'regular', 'comfortable'] as const) if (density !== preferences.density) action(`density-${density}`, t('Density: {density}', { density }), IconContrast, () => preferences.set({ density }));
  const zone = preferences.zone === 'utc' ? 'local' : 'utc';
  action('zone', zone === 'utc' ? t('Show times in UTC') : t('Show times in local time'), IconContrast, () => preferences.set({ zone }));
  const times = preferences.times === 'relative' ? 'absolute' : 'relative';
  action('times', t('Show {times} times', { times }), IconContrast, () => preferences.set({ times }));
  action('shortcuts', t('Keyboard shortcuts'), IconKeyboard, onShortcuts, '?');
  return entries;
}
