import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { failuresQuery } from '../../api/failures.ts';
import { formatCount } from '../../ui/Duration.tsx';
import css from './JobViews.module.css';

/** The three ways to look at jobs, first what is broken: failures that nobody has decided on, every job, work on many of them. */
export function JobViews(): ReactNode {
  const { data } = useQuery(failuresQuery({ page: 0, size: 1, sort: 'lastSeenAt,desc', status: 'OPEN' }));
  const open = data?.totalItems ?? 0;
  return (
    <nav className={css['views']} aria-label={t('Job views')}>
      <Link to="/failures" className={css['view'] ?? ''} activeOptions={{ includeSearch: false }}>
        {t('Failures')}
        {open > 0 && (
          <span className={css['open']} aria-label={t('{count} open', { count: formatCount(open) })}>
            {formatCount(open)}
          </span>
        )}
      </Link>
      <Link to="/jobs" className={css['view'] ?? ''} activeOptions={{ exact: true, includeSearch: false }}>
        {t('All jobs')}
      </Link>
      <Link to="/operations" className={css['view'] ?? ''} activeOptions={{ includeSearch: false }}>
        {t('Operations')}
      </Link>
    </nav>
  );
}
