import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { settingsQuery } from '../../../api/overview.ts';
import { useReach } from '../../../stores/role.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { formatBytes } from '../../../ui/Duration.tsx';
import { diskState } from '../disk-space.ts';

/** That the disk of the data folder runs full, before anything is refused; nothing while there is room. */
export function DiskSpace(): ReactNode {
  const { data } = useQuery({ ...settingsQuery(), enabled: useReach('settings.get') });
  const state = data ? diskState(data.disk, data.limits) : null;
  if (state === null || !data?.disk) return null;
  const { freeBytes, totalBytes } = data.disk;
  return (
    <Callout
      tone={state === 'full' ? 'fail' : 'warn'}
      title={state === 'full' ? t('Disk full') : t('Disk nearly full')}
    >
      {t('{free} of {total} free where the data folder is ({folder}).', {
        free: formatBytes(freeBytes),
        total: formatBytes(totalBytes),
        folder: data.dataFolder,
      })}{' '}
      {t('Below {reserve}, log lines are refused; once it is full, jobs are too.', {
        reserve: formatBytes(data.limits['logReserveBytes'] ?? 0),
      })}{' '}
      <Link to="/settings" search={{ tab: 'limits', group: 'retention' }}>
        {t('Free space or shorten retention')}
      </Link>
    </Callout>
  );
}
