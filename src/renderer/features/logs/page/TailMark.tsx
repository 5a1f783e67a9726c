import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { SLOW_MS } from '../list/follow.ts';
import css from './LogsPage.module.css';

/** What pipes make is asked for again at this pace while it is followed. */
export const ROWS_MS = 5000;

const WORDS = {
  off: '',
  connecting: t('Connecting…'),
  live: t('Live'),
  broken: t('Live stream disconnected, reconnecting…'),
  slow: t('Refreshing every {count} s', { count: SLOW_MS / 1000 }),
  paused: t('Paused'),
  rows: t('Refreshing every {count} s', { count: ROWS_MS / 1000 }),
} as const;

/** How new lines come in. */
export const TailMark = ({ state }: { state: keyof typeof WORDS }): ReactNode => (
  <span className={css['tail']} data-state={state} role="status">
    {WORDS[state]}
  </span>
);
