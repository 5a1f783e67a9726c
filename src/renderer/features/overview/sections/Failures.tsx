import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../../contract/master.ts';
import { t } from '../../../../lib/language.ts';
import { NodeName, NodeNames } from '../../workflows/NodeName.tsx';
import { formatCount } from '../../../ui/Duration.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { rich } from '../../../ui/rich.tsx';
import css from './OverviewPage.module.css';

/** One line a cause: how often, what the task said, where, since when; leads to the latest job and to all of them. */
export function Failures({ failures }: { failures: Overview['failures'] }) {
  if (failures.length === 0) {
    return (
      <div className={css['quiet']}>
        <IconCircleCheck size={18} aria-hidden />{' '}
        {t('No open failures in the last 24 hours. Failures appear here grouped by cause.')}
      </div>
    );
  }
  return (
    <ul className={`bare ${css['list']}`}>
      {failures.map((failure) => (
        <li key={failure.id}>
          <span className={css['times']}>{formatCount(failure.count)} ×</span>
          <div className={css['grow']}>
            <Link
              to="/jobs/$jobId"
              params={{ jobId: failure.lastJobId }}
              className={css['message'] ?? ''}
              title={failure.message}
            >
              {failure.message || failure.code}
            </Link>
            <div className={css['sub']}>
              <span className="mono">{failure.code}</span>
              <span>
                {rich('{link}, node {name}', {
                  link: (
                    <Link to="/workflows/$workflowId" params={{ workflowId: failure.workflowId }}>
                      {failure.workflowId}
                    </Link>
                  ),
                  name: (
                    <NodeNames workflowId={failure.workflowId} commit={failure.commit}>
                      <NodeName node={failure.node} />
                    </NodeNames>
                  ),
                })}
              </span>
              <Link to="/failures" search={{ group: failure.id }}>
                {t('View and retry')}
              </Link>
            </div>
          </div>
          <span className={css['side']}>
            <TimeAgo at={failure.lastAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
