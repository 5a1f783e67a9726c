import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconSitemap } from '@tabler/icons-react';
import { isBehind, ownerOf, standbysOf, worstLagMs } from '../../../lib/cluster.ts';
import { t, tn } from '../../../lib/language.ts';
import { clusterQuery } from '../../api/cluster.ts';
import { formatDuration } from '../../ui/Duration.tsx';
import css from './Frame.module.css';
import { useReach } from '../../stores/role.ts';

/** Who owns the state, and who could take over; nothing where a single master does. */
export function ClusterBadge() {
  const { data } = useQuery({ ...clusterQuery(), enabled: useReach('cluster.get') });
  if (data?.mode !== 'cluster') return null;
  const standbys = standbysOf(data).length;
  const lag = worstLagMs(data);
  const owned = ownerOf(data) !== null;
  const bad = !owned || lag === null || isBehind(lag);
  return (
    <Link
      to="/cluster"
      className={`numbers ${bad ? (css['polling'] ?? '') : ''}`}
      data-hint={t('Masters of this cluster, and how far the last standby is behind')}
    >
      <IconSitemap size={14} aria-hidden />
      {owned ? t('1 owner') : t('no owner')}, {tn('{count} standby', '{count} standbys', standbys)}
      {lag !== null && `, ${t('lag {lag}', { lag: formatDuration(lag) })}`}
    </Link>
  );
}
