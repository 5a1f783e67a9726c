import { IconBellOff, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Alert } from '../../../../contract/alerts.ts';
import { t, tn } from '../../../../lib/language.ts';
import { firingQuery, heldBackQuery } from '../../../api/alerts.ts';
import { AcknowledgedBy } from '../../alerts/AcknowledgedBy.tsx';
import { firstAlertLink } from '../../alerts/links.ts';
import { useReach } from '../../../stores/role.ts';
import { Loading } from '../../../ui/Loading.tsx';
import { RowLink } from '../../../ui/RowLink.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import css from './OverviewPage.module.css';

const SHOWN = 5;
/** Every alert has these. */
const COMMON = new Set(['alertname', 'rulename', 'severity']);

/** What tells alerts of one rule apart. */
const about = (labels: Readonly<Record<string, string>>): string[] =>
  Object.entries(labels).flatMap(([name, value]) => (COMMON.has(name) ? [] : [`${name}=${value}`]));

const nameFor = (alert: Alert): string => alert.annotations['summary'] ?? alert.ruleName;
const isLike = (one: Alert, other: Alert): boolean => one.id !== other.id && nameFor(one) === nameFor(other);

/** What fires now and is not kept back, in a card that keeps its height: alerts come at any time, and nothing below may move then. */
export function FiringAlerts(): ReactNode {
  const isReached = useReach('alerts.list');
  const query = useQuery({ ...firingQuery(SHOWN), enabled: isReached });
  if (!isReached) return null;
  const count = query.data?.totalItems ?? 0;
  return (
    <Section
      title={count === 0 ? t('Alerts') : tn('{count} alert firing', '{count} alerts firing', count)}
      flush
      actions={<Link to="/alerts">{t('All alerts')}</Link>}
    >
      <div className={css['firing']}>
        {query.data === undefined ? (
          <Loading query={query} what={t('Could not load alerts')} lines={2} compact />
        ) : count === 0 ? (
          <Quiet />
        ) : (
          <Alerts alerts={query.data.items} />
        )}
      </div>
    </Section>
  );
}

/** Nothing that asks for somebody; what is kept back is named all the same. */
function Quiet(): ReactNode {
  const query = useQuery(heldBackQuery());
  if (query.data === undefined) return <Loading query={query} what={t('Could not load alerts')} lines={2} compact />;
  const held = query.data.totalItems;
  return (
    <div className={css['quiet']}>
      {held === 0 ? <IconCircleCheck size={18} aria-hidden /> : <IconBellOff size={18} aria-hidden />}{' '}
      {held === 0
        ? t('No alerts firing')
        : tn('{count} alert firing, suppressed', '{count} alerts firing, all suppressed', held)}
    </div>
  );
}

function Alerts({ alerts }: { alerts: readonly Alert[] }): ReactNode {
  return (
    <ul className={`bare ${css['alerts']}`}>
      {alerts.map((alert) => (
        <li key={alert.id}>
          <span title={about(alert.labels).join('\n')}>
            <RowLink href={firstAlertLink(alert)}>{nameFor(alert)}</RowLink>
            <AcknowledgedBy alert={alert} />
            {(alert.annotations['summary'] === undefined || alerts.some((one) => isLike(one, alert))) && (
              <span className="dim"> {about(alert.labels).join(' ')}</span>
            )}
          </span>
          <TimeAgo at={alert.startsAt ?? alert.activeAt} />
        </li>
      ))}
    </ul>
  );
}
