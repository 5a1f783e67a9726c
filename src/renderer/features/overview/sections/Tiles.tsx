import { IconAlertTriangle, IconCircleCheck, IconClock, IconGauge, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../../contract/master.ts';
import { FAILING_STATUSES } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { formatCount, formatDuration } from '../../../ui/Duration.tsx';
import { formatNumber, formatShare } from '../../../ui/number-text.ts';
import { rich } from '../../../ui/rich.tsx';
import css from './OverviewPage.module.css';

/** As the count has it: a partial failure is always open, and among those that run. */
const FAILED = FAILING_STATUSES.filter((status) => status !== 'PARTIAL_FAILURE');

export function Tiles({ jobs }: { jobs: Overview['jobs'] }) {
  const failing = jobs.failedLastHour > 0;
  const share = jobs.createdLastHour === 0 ? 0 : jobs.failedLastHour / jobs.createdLastHour;
  return (
    <div className={css['tiles']}>
      <Link to="/jobs" search={{ status: ['QUEUED', 'RUNNING', 'PARTIAL_FAILURE'] }} className={css['tile'] ?? ''}>
        <span className={css['label']}>
          <IconPlayerPlay size={15} aria-hidden /> {t('Running jobs')}
        </span>
        <span className={css['number']}>{formatCount(jobs.running)}</span>
        <span className={css['note']}>
          {t('{createdLastHour} created in the last hour', { createdLastHour: formatCount(jobs.createdLastHour) })}
        </span>
      </Link>
      <Link
        to="/jobs"
        search={{ status: FAILED, created: '1h' }}
        className={`${css['tile']} ${failing ? css['bad'] : ''}`}
      >
        <span className={css['label']}>
          {rich('{value} Failed jobs', {
            value: failing ? <IconAlertTriangle size={15} aria-hidden /> : <IconCircleCheck size={15} aria-hidden />,
          })}
        </span>
        <span className={css['number']}>{formatCount(jobs.failedLastHour)}</span>
        <span className={css['note']}>
          {failing
            ? t('{share} in the last hour', { share: formatShare(share, share < 0.1 ? 1 : 0) })
            : t('none in the last hour')}
        </span>
      </Link>
      <div className={css['tile']}>
        <span className={css['label']}>
          <IconGauge size={15} aria-hidden /> {t('Throughput')}
        </span>
        <span className={css['number']}>
          {jobs.throughputPerMinute >= 100
            ? formatCount(jobs.throughputPerMinute)
            : formatNumber(jobs.throughputPerMinute, Number.isInteger(jobs.throughputPerMinute) ? 0 : 1)}{' '}
          <span className={css['unit']}>{t('jobs/min')}</span>
        </span>
        <span className={css['note']}>{t('5-minute average')}</span>
      </div>
      <div className={css['tile']}>
        <span className={css['label']}>
          <IconClock size={15} aria-hidden /> {t('Duration, p95')}
        </span>
        <span className={css['number']}>{jobs.p95Ms === null ? '–' : formatDuration(jobs.p95Ms)}</span>
        <span className={css['note']}>
          {jobs.p95Ms === null ? t('no jobs finished in the last hour') : t('jobs finished in the last hour')}
        </span>
      </div>
    </div>
  );
}
