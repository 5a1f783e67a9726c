import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ComparedLines } from '../../../../contract/comparisons.ts';
import { t, tn } from '../../../../lib/language.ts';
import { compareLogsQuery } from '../../../api/compare.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import css from './Compare.module.css';
import { Loading } from '../../../ui/Loading.tsx';

const SHOWN = 15;
type Group = 'here' | 'there' | 'both';
const groupOf = ({ here, there }: ComparedLines): Group => (there === 0 ? 'here' : here === 0 ? 'there' : 'both');

/** Lines that one run alone wrote, and those that it wrote more often. */
export function LogDifference({ jobId, otherId }: { jobId: string; otherId: string }): ReactNode {
  const query = useQuery(compareLogsQuery(jobId, otherId));
  if (!query.data) return <Loading query={query} what={t('Could not compare log lines')} lines={4} compact />;
  const { items, alike, lines, complete } = query.data;
  const counts = t('{here} lines in this run, {there} in the other', {
    here: formatCount(lines.here),
    there: formatCount(lines.there),
  });
  if (lines.here + lines.there === 0) return <p className={css['same']}>{t('Neither run has written log lines.')}</p>;
  return (
    <>
      {items.length === 0 && (
        <p className={css['same']}>
          {t('Both runs wrote the same lines, apart from numbers, IDs and times')}{' '}
          <span className="dim">({counts})</span>
        </p>
      )}
      <Lines title={t('Only in this run')} rows={items.filter((row) => groupOf(row) === 'here')} />
      <Lines title={t('Only in the other run')} rows={items.filter((row) => groupOf(row) === 'there')} />
      <Lines title={t('Different count')} rows={items.filter((row) => groupOf(row) === 'both')} />
      {items.length > 0 && (
        <p className={css['legend']}>
          {counts}. {tn('{count} line pattern is the same', '{count} line patterns are the same', alike)}:{' '}
          {t('numbers, IDs, times and quoted text are ignored.')}{' '}
          {!complete && <strong>{t('Some lines were not read: there are more than the comparison limit.')}</strong>}
        </p>
      )}
    </>
  );
}

function Lines({ title, rows }: { title: string; rows: readonly ComparedLines[] }): ReactNode {
  const [all, setAll] = useState(false);
  if (rows.length === 0) return null;
  return (
    <section className={css['lines']} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {rows.slice(0, all ? rows.length : SHOWN).map((row) => (
          <li key={`${row.level} ${row.pattern}`}>
            <span className={css['count']} title={t('this / other')}>
              {row.there === 0 || row.here === 0
                ? `${formatCount(row.here + row.there)}×`
                : `${formatCount(row.here)} / ${formatCount(row.there)}`}
            </span>
            <span className={css['level']} data-level={row.level.toLowerCase()}>
              {row.level}
            </span>
            <span className={css['line']} title={row.pattern}>
              {row.sample}
            </span>
          </li>
        ))}
      </ul>
      {!all && rows.length > SHOWN && (
        <button type="button" className="linkish" onClick={() => setAll(true)}>
          {t('Show all {count}', { count: formatCount(rows.length) })}
        </button>
      )}
    </section>
  );
}
