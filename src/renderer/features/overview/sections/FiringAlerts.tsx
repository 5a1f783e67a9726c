import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { firingQuery } from '../../../api/alerts.ts';
import { AcknowledgedBy } from '../../alerts/AcknowledgedBy.tsx';
import { firstAlertLink } from '../../alerts/links.ts';
import { useReach } from '../../../stores/role.ts';
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

/** What fires now and is not kept back; nothing where nothing does. */
export function FiringAlerts(): ReactNode {
  const { data } = useQuery({ ...firingQuery(SHOWN), enabled: useReach('alerts.list') });
  if (!data || data.totalItems === 0) return null;
  return (
    <Section
      title={tn('{count} alert firing', '{count} alerts firing', data.totalItems)}
      actions={<Link to="/alerts">{t('All alerts')}</Link>}
    >
      <ul className={`bare ${css['alerts']}`}>
        {data.items.map((alert) => (
          <li key={alert.id}>
            <span title={about(alert.labels).join('\n')}>
              <RowLink href={firstAlertLink(alert)}>{alert.annotations['summary'] ?? alert.ruleName}</RowLink>
              <AcknowledgedBy alert={alert} />
              {alert.annotations['summary'] === undefined && (
                <span className="dim"> {about(alert.labels).join(' ')}</span>
              )}
            </span>
            <TimeAgo at={alert.startsAt ?? alert.activeAt} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
