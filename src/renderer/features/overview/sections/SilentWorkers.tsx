import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../../../lib/language.ts';
import { workersQuery } from '../../../api/workers.ts';
import { silentWorkers, silentText } from '../../workers/silent-workers.ts';
import { WorkerStateBadge } from '../../../ui/Badges.tsx';
import { formatCount } from '../../../ui/Duration.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import css from './OverviewPage.module.css';

const SHOWN = 5;

/** Workers that do not answer; nothing while all do. */
export function SilentWorkers({ down, unstable }: { down: number; unstable: number }) {
  const words = silentText(down, unstable);
  const { data } = useQuery({
    ...workersQuery({ state: ['Down', 'Unstable'], past: false, size: 50, sort: 'lastHeartbeatAt,desc' }),
    enabled: words !== null,
  });
  if (words === null) return null;
  const silent = silentWorkers(data?.items ?? []);
  return (
    <Section
      title={words}
      flush
      actions={
        <Link to="/workers" search={{ state: ['Unstable', 'Down'] }}>
          {t('View')}
        </Link>
      }
    >
      <ul className={`bare ${css['list']}`}>
        {silent.slice(0, SHOWN).map((worker) => (
          <li key={worker.id} className={css['level']}>
            <div className={`${css['grow']} clip`}>{worker.url.replace(/^https?:\/\//, '') || worker.id}</div>
            <WorkerStateBadge state={worker.state} />
            <span className={css['side']}>
              <TimeAgo at={worker.lastHeartbeatAt} absent={t('never')} />
            </span>
          </li>
        ))}
        {data && data.totalItems > SHOWN && (
          <li>{t('and {count} more', { count: formatCount(data.totalItems - SHOWN) })}</li>
        )}
      </ul>
    </Section>
  );
}
