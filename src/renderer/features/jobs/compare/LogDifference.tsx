import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ComparedLines } from '../../../../contract/comparisons.ts';
import { t, tn } from '../../../../lib/language.ts';
import { compareLogsQuery } from '../../../api/compare.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import css from './Compare.module.css';

const SHOWN = 15;
type Group = 'here' | 'there' | 'both';
const groupOf = ({ here, there }: ComparedLines): Group => (there === 0 ? 'here' : here === 0 ? 'there' : 'both');

/** Lines that one run alone wrote, and those that it wrote more often. */
export function LogDifference({ jobId, otherId }: { jobId: string; otherId: string }): ReactNode {
  const query = useQuery(compareLogsQuery(jobId, otherId));
  if (query.error)
    return (
      <ErrorState
        compact
        what={t('The log lines could not be compared')}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  if (!query.data) return <SkeletonLines lines={4} />;
  const { items, alike, lines, complete } = query.data;
  const counts = t('{here} lines here, {there} there', {
    here: formatCount(lines.here),
    there: formatCount(lines.there),
  });
  if (lines.here + lines.there === 0) return <p className={css['same']}>{t('Neither run has written a line.')}</p>;
  return (
    <>
      {items.length === 0 && (
        <p className={css['same']}>
          {t('Both wrote the same lines as often, but for numbers, ids and times')}{' '}
          <span className="dim">({counts})</span>
        </p>
      )}
      <Lines title={t('Only here')} rows={items.filter((row) => groupOf(row) === 'here')} />
      <Lines title={t('Only there')} rows={items.filter((row) => groupOf(row) === 'there')} />
      <Lines title={t('More or less often')} rows={items.filter((row) => groupOf(row) === 'both')} />
      {items.length > 0 && (
        <p className={css['legend']}>
          {counts}. {tn('{count} kind of line is alike', '{count} kinds of lines are alike', alike)}:{' '}
          {t('numbers, ids, times and quoted texts are not compared.')}{' '}
          {!complete && <strong>{t('Not all lines were read: there are more than a comparison takes.')}</strong>}
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
            <span className={css['count']} title={t('here / there')}>
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
