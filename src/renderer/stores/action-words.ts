import type { Action } from '../../contract/actions.ts';
import { t } from '../../lib/language.ts';

/** What each action allows, in words. */
export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  'workflows.read': t('See workflows and their versions'),
  'workflows.write': t('Create and change workflows'),
  'workflows.publish': t('Publish to dev and staging'),
  'publish.prod': t('Publish to prod'),
  'workflows.archive': t('Archive workflows'),
  'jobs.read': t('See jobs, tasks and failures'),
  'jobs.operate': t('Start, kill, retry and rerun jobs'),
  'payload.read': t('See inputs and outputs'),
  'payload.unmasked': t('See masked fields'),
  'logs.read': t('Read logs'),
  'metrics.read': t('See metrics, dashboards and alerts'),
  'dashboards.write': t('Create and change dashboards'),
  'alerts.operate': t('Acknowledge and silence alerts'),
  'alerts.manage': t('Change alert rules and channels'),
  'workers.operate': t('Drain workers'),
  'master.read': t('See workers, settings and who has access'),
  'master.operate': t('Check data, replay dead letters'),
  'keys.manage': t('Manage API keys'),
  'secrets.manage': t('Manage secrets'),
  'settings.manage': t('Change settings'),
  'people.manage': t('Manage people and projects'),
  'audit.read': t('Read the audit log'),
};

/** What is less plain than the words of an action: told to whoever puts it into a role or gives it. */
export const FAR_REACHING_WORDS: Readonly<Partial<Record<Action, string>>> = {
  'publish.prod': t('Changes what runs in prod; nobody else has to agree unless prod is protected.'),
  'alerts.manage': t('Can send alerts, with values and labels, to any address.'),
  'settings.manage': t(
    'Limits, and which master owns the state. Retention, protection, sign-in, private networks and backups stay with administrators.',
  ),
  'keys.manage': t('Keys start jobs and read outputs, but only where the holder may do so as well.'),
  'secrets.manage': t('Together with publishing, lets the holder read every secret there.'),
  'people.manage': t(
    'Creates and disables accounts, revokes tokens. Roles, groups and passwords stay with administrators.',
  ),
};

/** In the order and the groups that a person reads them in; all of them. */
export const ACTION_GROUPS: readonly { readonly label: string; readonly actions: readonly Action[] }[] = [
  {
    label: t('Workflows'),
    actions: ['workflows.read', 'workflows.write', 'workflows.publish', 'publish.prod', 'workflows.archive'],
  },
  { label: t('Jobs'), actions: ['jobs.read', 'jobs.operate', 'payload.read', 'payload.unmasked', 'logs.read'] },
  {
    label: t('Monitoring'),
    actions: ['metrics.read', 'dashboards.write', 'alerts.operate', 'alerts.manage'],
  },
  {
    label: t('Master'),
    actions: ['master.read', 'workers.operate', 'master.operate', 'settings.manage', 'audit.read'],
  },
  { label: t('Access'), actions: ['keys.manage', 'secrets.manage', 'people.manage'] },
];
