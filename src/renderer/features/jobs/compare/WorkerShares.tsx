import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Comparison } from '../../../../contract/comparisons.ts';
import { t } from '../../../../lib/language.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import css from './Compare.module.css';

const SHOWN = 20;

/** Who did the tasks of each run. */
export function WorkerShares({ workers }: { workers: Comparison['workers'] }): ReactNode {
  if (workers.length === 0) return <p className="dim">{t('No worker ran a task of either run.')}</p>;
  return (
    <>
      <table className={css['plain']}>
        <thead>
          <tr>
            <th scope="col">{t('Worker')}</th>
            <th scope="col" className={css['right']}>
              {t('Tasks, this run')}
            </th>
            <th scope="col" className={css['right']}>
              {t('Tasks, other run')}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {workers.slice(0, SHOWN).map(({ workerId, here, there }) => (
            <tr key={workerId}>
              <th scope="row" className="mono">
                <Link to="/workers" search={{ worker: workerId }} title={workerId}>
                  …{workerId.slice(-12)}
                </Link>
              </th>
              <td className={`${css['right']} numbers`}>{formatCount(here)}</td>
              <td className={`${css['right']} numbers`}>{formatCount(there)}</td>
              <td>{there === 0 ? t('only in this run') : here === 0 ? t('only in the other run') : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {workers.length > SHOWN && (
        <p className={css['legend']}>
          {t('Showing the {shown} with the most tasks, of {count}.', {
            shown: SHOWN,
            count: formatCount(workers.length),
          })}
        </p>
      )}
    </>
  );
}
