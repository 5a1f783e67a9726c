import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { t } from '../../../lib/language.ts';
import { useLive, useStores } from '../../stores/context.tsx';
import { useNow, useUiSettings } from '../../ui/settings.tsx';
import states from '../../ui/States.module.css';
import { formatAgo, formatClock } from '../../ui/time-text.ts';
import css from './Frame.module.css';

/** While nothing answers: how old is what the page shows, and that nothing is kept to be sent later. */
export function OfflineBanner() {
  const offline = useLive((s) => s.mode === 'offline');
  const since = useLive((s) => s.since);
  return offline ? <Line since={since} /> : null;
}

function Line({ since }: { since: number }) {
  const { live } = useStores();
  const { zone } = useUiSettings();
  const ago = formatAgo(since, useNow());
  return (
    <div className={css['banner']}>
      <div className={states['line']} data-shade="fail">
        <IconPlugConnectedX size={16} aria-hidden />
        <span>
          <strong>{t('Offline since {clock} ({ago}).', { clock: formatClock(since, zone), ago })}</strong>{' '}
          {t(
            'You are seeing the last known state. Changes are disabled and nothing is queued. The page reconnects automatically.',
          )}
        </span>
        <Button size="compact-xs" variant="default" onClick={() => live.retryNow()}>
          {t('Retry now')}
        </Button>
      </div>
    </div>
  );
}
