import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { dataHealthQuery } from '../../../api/data-health.ts';
import { useReach } from '../../../stores/role.ts';
import { Section } from '../../../ui/Segment.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import css from './OverviewPage.module.css';

const SHOWN = 5;

/** What of the stored data cannot be read for certain, and what to do; nothing while all is sound. */
export function DamagedData(): ReactNode {
  const { data } = useQuery({ ...dataHealthQuery(), enabled: useReach('data.health') });
  if (!data || data.sound) return null;
  const count = data.damages.length + data.unlisted;
  return (
    <Section title={tn('{count} damaged part of the data', '{count} damaged parts of the data', count)}>
      <p className="dim">
        {t(
          'What cannot be read for certain is not shown and not used. Check the disk, then restore it: stop the master and run yardmaster repair --from BACKUP.',
        )}
      </p>
      <ul className={`bare ${css['alerts']}`}>
        {data.damages.slice(-SHOWN).map(({ file, what, at }) => (
          <li key={`${file} ${what}`}>
            <span title={file}>{what}</span>
            <TimeAgo at={at} />
          </li>
        ))}
        {count > SHOWN && <li>{t('and {count} more', { count: count - SHOWN })}</li>}
      </ul>
    </Section>
  );
}
