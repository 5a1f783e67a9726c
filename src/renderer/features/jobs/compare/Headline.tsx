import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Comparison, FirstDifference } from '../../../../contract/comparisons.ts';
import type { Job } from '../../../../contract/jobs.ts';
import { comparisonWords, differenceWords } from '../../../../lib/compare-words.ts';
import { t, tn } from '../../../../lib/language.ts';
import { EnvironmentBadge, StatusBadge } from '../../../ui/Badges.tsx';
import { badgeStatus } from '../../../ui/status.ts';
import { Duration } from '../../../ui/Duration.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { Instant } from '../../../ui/Time.tsx';
import { useNodeName } from '../../workflows/NodeName.tsx';
import { NodeLink } from '../../workflows/NodeLink.tsx';
import css from './Compare.module.css';

/** What matters most, in one sentence, and the two runs. */
export function Headline({ found, onTask }: { found: Comparison; onTask(taskId: string): void }): ReactNode {
  const { here, there, ended, first, tasks, complete } = found;
  const told = ended ?? first;
  const earlier = ended !== null && first !== null && !isSame(ended, first) ? first : null;
  const open = told?.here?.taskId;
  const nameOf = useNodeName();
  return (
    <div
      className={`card ${css['headline']}`}
      data-tone={ended ? 'fail' : first ? 'late' : 'done'}
      role="note"
      aria-label={t('Main differences')}
    >
      <p className={css['sentence']}>
        {comparisonWords(found, nameOf)}{' '}
        {open !== undefined && (
          <button type="button" className="linkish" onClick={() => onTask(open)}>
            {t('Open task')}
          </button>
        )}{' '}
        {told !== null && <NodeLink workflowId={here.workflowId} node={told.node} />}
      </p>
      {earlier && (
        <p>
          {t('An earlier difference:')} {differenceWords(earlier, nameOf)}
        </p>
      )}
      <p className="dim">
        {tn('{count} task differs', '{count} tasks differ', tasks.differing)}.{' '}
        {here.commit !== there.commit && here.workflowId === there.workflowId && (
          <VersionLink here={here} there={there} />
        )}
        {!complete && <strong> {t('Partial comparison: the runs exceed the comparison limits.')}</strong>}
      </p>
      <div className={css['wide']}>
        <table className={css['runs']}>
          <thead>
            <tr>
              <td />
              <th scope="col">{t('Job')}</th>
              <th scope="col">{t('Status')}</th>
              <th scope="col">{t('Version')}</th>
              <th scope="col">{t('Environment')}</th>
              <th scope="col">{t('Created')}</th>
              <th scope="col">{t('Duration')}</th>
              <th scope="col">{t('Inputs')}</th>
            </tr>
          </thead>
          <tbody>
            <Run side={t('This run')} job={here} />
            <Run side={t('Other run')} job={there} link />
          </tbody>
        </table>
      </div>
    </div>
  );
}

const isSame = (a: FirstDifference, b: FirstDifference): boolean =>
  a.node === b.node && a.replica === b.replica && a.item === b.item;

const VersionLink = ({ here, there }: { here: Job; there: Job }): ReactNode => (
  <Link
    to="/workflows/$workflowId"
    params={{ workflowId: here.workflowId }}
    search={{ tab: 'versions', from: there.commit, to: here.commit }}
  >
    {t('They ran different versions: see the diff')}
  </Link>
);

function Run({ side, job, link = false }: { side: string; job: Job; link?: boolean }): ReactNode {
  return (
    <tr>
      <th scope="row">{side}</th>
      <td>
        <IdLabel id={job.id} tail={12} kind={t('job ID')} {...(link ? { to: `/jobs/${job.id}` } : {})} />
      </td>
      <td>
        <StatusBadge status={badgeStatus(job)} />
      </td>
      <td>
        <Link
          to="/workflows/$workflowId"
          params={{ workflowId: job.workflowId }}
          search={{ tab: 'versions', version: job.commit }}
          className="mono"
          title={job.commit}
        >
          {job.commit.slice(0, 8)}
        </Link>
      </td>
      <td>{job.environment === null ? t('none') : <EnvironmentBadge environment={job.environment} />}</td>
      <td>
        <Instant at={job.createdAt} />
      </td>
      <td>
        <Duration ms={job.durationMs} />
      </td>
      <td className="numbers">{job.inputCount}</td>
    </tr>
  );
}
