import { Button, Switch } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import type { LogsSearch } from '../logs-search.ts';
import { bindChecked } from '../../../ui/bind.ts';
import type { SearchChange } from '../../../ui/search-params.ts';

/** How the lines are shown: wrapped, followed, held for a while. */
export function FollowTools({
  search,
  pausable,
  paused,
  onPause,
  onChange,
}: {
  search: LogsSearch;
  pausable: boolean;
  paused: boolean;
  onPause(paused: boolean): void;
  onChange(next: SearchChange<LogsSearch>, replace?: boolean): void;
}): ReactNode {
  const live = search.live === 'on';
  return (
    <>
      <Switch
        label={t('Wrap')}
        {...bindChecked(search.wrap === 'on', (next) => onChange({ wrap: next ? 'on' : undefined }, true))}
      />
      <Button
        variant={live ? 'filled' : 'default'}
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        aria-pressed={live}
        onClick={() => onChange({ live: live ? undefined : 'on', to: undefined })}
      >
        {t('Follow')}
      </Button>
      {pausable && (
        <Button
          variant="default"
          leftSection={paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
          onClick={() => onPause(!paused)}
        >
          {paused ? t('Resume') : t('Pause')}
        </Button>
      )}
    </>
  );
}
