import { SegmentedControl, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DesktopPreferences } from '../../../../contract/desktop.ts';
import { t } from '../../../../lib/language.ts';
import { appInfoQuery, callShell, desktopStateQuery, shellKeys } from '../../../stores/desktop.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { toastFailure } from '../../../ui/toasts.tsx';
import { Updates } from './Updates.tsx';
import { bindChecked } from '../../../ui/bind.ts';
import { Loading } from '../../../ui/Loading.tsx';
import { SettingRow } from '../shared/SettingRow.tsx';

/** How the desktop app behaves on this machine; its updates. */
export function DesktopTab(): ReactNode {
  const { data: app } = useQuery(appInfoQuery());
  const { data, error, refetch } = useQuery(desktopStateQuery());
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (preferences: Partial<DesktopPreferences>) => callShell('desktop:prefer', preferences),
    onSuccess: (state) => client.setQueryData(shellKeys.state, state),
    onError: toastFailure(t('Could not change the setting')),
  });
  if (window.yardmaster === undefined)
    return (
      <EmptyState title={t('Desktop app settings')}>
        {t('Only available in the desktop app: tray, system notifications, start at login, updates.')}
      </EmptyState>
    );
  if (data === undefined)
    return <Loading query={{ error, refetch }} what={t('Could not load the app settings')} lines={8} />;
  const { preferences, notesSupported, loginItemFault } = data;
  const toggle = (
    name: 'notifyAlerts' | 'notifyBulk' | 'badge' | 'startAtLogin',
    label: string,
    help: string,
    refused = false,
  ) => (
    <SettingRow label={label} help={help}>
      <Switch
        aria-label={label}
        {...bindChecked(preferences[name], (on) => change.mutate({ [name]: on }))}
        disabled={refused}
      />
    </SettingRow>
  );
  const noNotes = t('This system does not show notifications.');
  return (
    <>
      <Section title={t('Window and tray')}>
        <SettingRow
          label={t('When the window is closed')}
          help={t('Ask: only while jobs run on this machine; otherwise the app quits')}
        >
          <SegmentedControl
            aria-label={t('When the window is closed')}
            value={preferences.onClose}
            onChange={(onClose) => change.mutate({ onClose: onClose })}
            data={[
              { value: 'ask', label: t('Ask') },
              { value: 'tray', label: t('Keep running in the tray') },
              { value: 'quit', label: t('Quit') },
            ]}
          />
        </SettingRow>
        {toggle(
          'startAtLogin',
          t('Start at login'),
          loginItemFault === null
            ? t('In the tray, without a window')
            : t('Only an installed app can start at login. This one runs from source.'),
          loginItemFault !== null,
        )}
        {toggle(
          'badge',
          t('Show firing alerts on the icon'),
          t('As a badge in the dock or taskbar, if the system supports it'),
        )}
      </Section>
      <Section title={t('System notifications')}>
        {toggle(
          'notifyAlerts',
          t('Alerts'),
          notesSupported ? t('Clicking one opens the alerts of its cluster') : noNotes,
          !notesSupported,
        )}
        {toggle(
          'notifyBulk',
          t('Finished bulk operations'),
          notesSupported ? t('Only while the window is in the background') : noNotes,
          !notesSupported,
        )}
      </Section>
      <Updates preferences={preferences} version={app?.version ?? ''} onChange={(next) => change.mutateAsync(next)} />
    </>
  );
}
