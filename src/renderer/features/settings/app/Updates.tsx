import { Button, Group, Progress, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { DesktopPreferences, UpdateStatus } from '../../../../contract/desktop.ts';
import { t } from '../../../../lib/language.ts';
import { callShell, updatesQuery } from '../../../stores/desktop.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { Instant } from '../../../ui/Time.tsx';
import { toastFailure } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';
import { bindChecked, bindText } from '../../../ui/bind.ts';
import { formatShare } from '../../../ui/number-text.ts';
import { SettingRow } from '../shared/SettingRow.tsx';

/** Updates of the app: off until somebody says where they come from. */
export function Updates({
  preferences,
  version,
  onChange,
}: {
  preferences: DesktopPreferences;
  version: string;
  onChange(change: Partial<DesktopPreferences>): Promise<unknown>;
}): ReactNode {
  const { data: status } = useQuery(updatesQuery());
  const [feed, setFeed] = useState(preferences.updateFeed ?? '');
  const save = useMutation({ mutationFn: () => onChange({ updateFeed: feed.trim() === '' ? null : feed.trim() }) });
  const ask = (channel: 'updates:check' | 'updates:download' | 'updates:install') =>
    void callShell(channel, null).catch(toastFailure(t('Update failed')));
  if (!status) return null;
  const fixed = status.feedFromEnvironment;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Section title={t('Updates')}>
      <div className={css['stack']}>
        <form onSubmit={submit}>
          <Group align="end" gap="xs" wrap="nowrap">
            <TextInput
              className={css['grow'] ?? ''}
              label={t('Update feed')}
              description={
                fixed
                  ? t('Set by YARDMASTER_UPDATE_FEED, which overrides this setting')
                  : t('https URL of an update folder. Leave empty for no updates.')
              }
              placeholder="https://downloads.example.com/yardmaster"
              {...bindText(fixed ? (status.feed ?? '') : feed, setFeed)}
              disabled={fixed}
              spellCheck={false}
            />
            <Button
              type="submit"
              variant="default"
              disabled={fixed || feed.trim() === (preferences.updateFeed ?? '')}
              loading={save.isPending}
            >
              {t('Save')}
            </Button>
          </Group>
        </form>
        <ErrorLine error={save.error} />
        <SettingRow
          label={t('Check for updates automatically')}
          help={t('At startup and once a day. Downloads only start when you ask.')}
        >
          <Switch
            aria-label={t('Check for updates automatically')}
            {...bindChecked(preferences.updateCheck, (on) => void onChange({ updateCheck: on }).catch(() => undefined))}
          />
        </SettingRow>
        <Group justify="space-between" gap="xs">
          <div role="status">
            <div>{updateText(status, version)}</div>
            {status.checkedAt !== null && (
              <div className="dim">
                {t('Last checked')} <Instant at={status.checkedAt} />
              </div>
            )}
          </div>
          <Group gap="xs">
            {status.state === 'available' && (
              <Button onClick={() => ask('updates:download')}>
                {t('Download {version}', { version: status.version ?? '' })}
              </Button>
            )}
            {status.state === 'ready' && (
              <Button onClick={() => ask('updates:install')}>{t('Restart to update')}</Button>
            )}
            {status.feed !== null && ['idle', 'current', 'failed', 'checking'].includes(status.state) && (
              <Button variant="default" loading={status.state === 'checking'} onClick={() => ask('updates:check')}>
                {t('Check now')}
              </Button>
            )}
          </Group>
        </Group>
        {status.state === 'downloading' && <Progress value={status.percent ?? 0} aria-label={t('Update download')} />}
        {status.state === 'failed' && (
          <p className={css['bad']} role="alert">
            {status.message}
          </p>
        )}
      </div>
    </Section>
  );
}

function updateText({ state, version, percent }: UpdateStatus, own: string): string {
  if (state === 'off') return t('This is version {version}. No update feed is set.', { version: own });
  if (state === 'checking') return t('Checking for updates…');
  if (state === 'current') return t('Version {version} is up to date.', { version: own });
  if (state === 'available')
    return t('Version {version} is available; this is {own}.', { version: version ?? '', own });
  if (state === 'downloading') return t('Downloading: {share}', { share: formatShare((percent ?? 0) / 100) });
  if (state === 'ready')
    return t('Version {version} is downloaded. The app waits for running tasks, then restarts as the new version.', {
      version: version ?? '',
    });
  return t('This is version {version}.', { version: own });
}
