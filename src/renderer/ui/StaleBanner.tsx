import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { t } from '../../lib/language.ts';
import { describeError } from './error-text.ts';
import { useNow } from './settings.tsx';
import css from './States.module.css';
import { formatAgo } from './time-text.ts';

/** Above content that is kept although reading it again failed: how old it is, why, and a way to try again. */
export function StaleBanner({ error, updatedAt, onRetry }: { error: unknown; updatedAt: number; onRetry(): void }) {
  const now = useNow();
  const failure = describeError(error);
  return (
    <div role="status" className={css['line']} data-shade="warn">
      <IconCloudOff size={16} aria-hidden />
      <span>
        {t('Last updated {updatedAt}. {title}.', { updatedAt: formatAgo(updatedAt, now), title: failure.title })}
      </span>
      <Button size="compact-xs" variant="default" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </div>
  );
}
