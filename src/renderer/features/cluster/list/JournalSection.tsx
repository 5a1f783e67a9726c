import type { ClusterMaster, Journal } from '../../../../contract/cluster.ts';
import { shortMasterId } from '../../../../lib/cluster.ts';
import { t } from '../../../../lib/language.ts';
import { Bytes, Count } from '../../../ui/Duration.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { formatNumber } from '../../../ui/number-text.ts';
import { Section } from '../../../ui/Segment.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import css from './Cluster.module.css';

/** What PostgreSQL holds: what happened since the oldest snapshot, and the snapshots. */
export function JournalSection({
  journal: { entries, bytes, appendMs, snapshots },
  masters,
}: {
  journal: Journal;
  masters: readonly ClusterMaster[];
}) {
  const urlOf = (id: string) => masters.find((one) => one.id === id)?.url ?? id;
  return (
    <Section title={t('Journal')}>
      <Facts
        items={[
          { label: t('Entries'), value: <Count value={entries} /> },
          { label: t('Size'), value: <Bytes value={bytes} /> },
          {
            label: t('Append, mean'),
            value: (
              <span className={`numbers ${appendMs !== null && appendMs > SLOW_MS ? css['behind'] : ''}`}>
                {appendMs === null ? '–' : t('{count} ms', { count: formatNumber(appendMs, appendMs < 10 ? 1 : 0) })}
              </span>
            ),
          },
          { label: t('Snapshots'), value: <Count value={snapshots.length} /> },
        ]}
      />
      {snapshots.length > 0 && (
        <ul className={`bare ${css['snapshots']}`} aria-label={t('Snapshots')}>
          {snapshots.map(({ seq, at, bytes: size, by }) => (
            <li key={seq}>
              <span>
                {t('at position')} <Count value={seq} />
              </span>
              <Bytes value={size} />
              <TimeAgo at={at} />
              <span className="dim" data-hint={urlOf(by)}>
                {t('by {id}', { id: shortMasterId(by) })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** As the built-in alert rule has it. */
const SLOW_MS = 250;
