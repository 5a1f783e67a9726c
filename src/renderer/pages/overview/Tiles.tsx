import { IconAlertTriangle, IconCircleCheck, IconClock, IconGauge, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../contract/api.ts';
import { formatCount, formatDuration } from '../../ui/Duration.tsx';
import css from './OverviewPage.module.css';

const FAILING = ['FAILED', 'PARTIAL_FAILURE', 'TIMEOUT', 'MIXED'] as const;

export function Tiles({ jobs }: { jobs: Overview['jobs'] }) {
  const failing = jobs.failedLastHour > 0;
  const share = jobs.createdLastHour === 0 ? 0 : jobs.failedLastHour / jobs.createdLastHour;
  return (
    <div className={css['tiles']}>
      <Link to="/jobs" search={{ status: ['RUNNING', 'PARTIAL_FAILURE'] }} className={css['tile'] ?? ''}>
        <span className={css['label']}>
          <IconPlayerPlay size={15} aria-hidden /> Jobs running
        </span>
        <span className={css['number']}>{formatCount(jobs.running)}</span>
        <span className={css['note']}>{formatCount(jobs.createdLastHour)} created in the last hour</span>
      </Link>
      <Link to="/jobs" search={{ status: [...FAILING], created: '1h' }} className={`${css['tile']} ${failing ? css['bad'] : ''}`}>
        <span className={css['label']}>
          {failing ? <IconAlertTriangle size={15} aria-hidden /> : <IconCircleCheck size={15} aria-hidden />} Jobs failing
        </span>
        <span className={css['number']}>{formatCount(jobs.failedLastHour)}</span>
        <span className={css['note']}>{failing ? `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} % of the last hour` : 'none in the last hour'}</span>
      </Link>
      <div className={css['tile']}>
        <span className={css['label']}>
          <IconGauge size={15} aria-hidden /> Throughput
        </span>
        <span className={css['number']}>
          {jobs.throughputPerMinute >= 100 ? formatCount(jobs.throughputPerMinute) : Number(jobs.throughputPerMinute.toFixed(1))} <span className={css['unit']}>jobs/min</span>
        </span>
        <span className={css['note']}>mean of five minutes</span>
      </div>
      <div className={css['tile']}>
        <span className={css['label']}>
          <IconClock size={15} aria-hidden /> Duration, p95
        </span>
        <span className={css['number']}>{jobs.p95Ms === null ? '–' : formatDuration(jobs.p95Ms)}</span>
        <span className={css['note']}>{jobs.p95Ms === null ? 'no job ended in the last hour' : 'jobs ended in the last hour'}</span>
      </div>
    </div>
  );
}
