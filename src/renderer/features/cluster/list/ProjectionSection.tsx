import { shortMasterId } from '../../../../lib/cluster.ts';
import type { ClusterMaster, ProjectionState } from '../../../../contract/cluster.ts';
import { t } from '../../../../lib/language.ts';
import { Count, formatDuration } from '../../../ui/Duration.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import css from './Cluster.module.css';

/** The tables for SQL: who writes them, and how far they are behind. */
export function ProjectionSection({
  projection: { master, seq, complete, lagMs, extras, writtenAt, trouble },
  masters,
}: {
  projection: ProjectionState;
  masters: readonly ClusterMaster[];
}) {
  return (
    <Section title={t('Tables for SQL')}>
      <Facts
        items={[
          {
            label: t('Written by'),
            value:
              master === null ? (
                t('No master')
              ) : (
                <span className="mono" data-hint={masters.find(({ id }) => id === master)?.url ?? master}>
                  …{shortMasterId(master)}
                </span>
              ),
          },
          {
            label: t('Position'),
            value: complete ? <Count value={seq} /> : t('everything is being written anew'),
          },
          {
            label: t('Lag'),
            value: (
              <span className={`numbers ${complete && lagMs > LATE_MS ? css['behind'] : ''}`}>
                {formatDuration(lagMs)}
              </span>
            ),
          },
          { label: t('Last write'), value: writtenAt === null ? '–' : <TimeAgo at={writtenAt} /> },
          ...(extras.length === 0 ? [] : [{ label: t('Also contains'), value: extras.join(', ') }]),
          ...(trouble === null
            ? []
            : [{ label: t('Trouble'), value: <span className={css['behind']}>{trouble}</span> }]),
        ]}
      />
    </Section>
  );
}

/** As the built-in alert rule has it. */
const LATE_MS = 60_000;
