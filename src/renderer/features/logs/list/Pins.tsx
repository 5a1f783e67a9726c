import { CloseButton } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { LogRecord } from '../../../../contract/logs.ts';
import { t } from '../../../../lib/language.ts';
import { useUiSettings } from '../../../ui/settings.tsx';
import { formatBrief } from '../../../ui/time-text.ts';
import css from './LogPane.module.css';

/** Lines that are kept in sight. A click goes to where one stands. */
export function Pins({
  pins,
  onGo,
  onRemove,
}: {
  pins: ReadonlyMap<number, LogRecord>;
  onGo(number: number): void;
  onRemove(number: number): void;
}): ReactNode {
  const { zone } = useUiSettings();
  const id = useId();
  if (pins.size === 0) return null;
  return (
    <div className={css['pins']} role="group" aria-label={t('Pinned lines')}>
      {[...pins].map(([number, record]) => (
        <div key={number} className={css['pin']}>
          <button type="button" id={`${id}${number}`} onClick={() => onGo(number)}>
            {formatBrief(record._time, zone)} {record.level ?? ''} {record._msg}
          </button>
          <CloseButton
            size={24}
            iconSize={14}
            aria-label={t('Unpin')}
            aria-describedby={`${id}${number}`}
            onClick={() => onRemove(number)}
          />
        </div>
      ))}
    </div>
  );
}
