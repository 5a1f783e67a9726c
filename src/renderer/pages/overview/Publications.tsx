import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../contract/api.ts';
import { EnvironmentBadge } from '../../ui/Badges.tsx';
import { TimeAgo } from '../../ui/Time.tsx';
import css from './OverviewPage.module.css';

const SHOWN = 6;

export function Publications({ publications }: { publications: Overview['publications'] }) {
  if (publications.length === 0) {
    return (
      <div className={css['quiet']}>
        <p>
          Nothing is published yet. <Link to="/workflows">Open a workflow</Link> and publish a version.
        </p>
      </div>
    );
  }
  return (
    <ul className={css['list']}>
      {publications.slice(0, SHOWN).map((publication) => (
        <li key={publication.id}>
          <div className={css['grow']}>
            <Link to="/workflows/$workflowId" params={{ workflowId: publication.workflowId }} search={{ tab: 'versions' }}>
              {publication.workflowId}
            </Link>{' '}
            {publication.hash === null ? 'taken from' : 'to'} <EnvironmentBadge environment={publication.environment} />
            <div className={css['sub']}>
              {publication.hash !== null && <span className="mono">{publication.hash.slice(0, 8)}</span>}
              <span>by {publication.publishedBy}</span>
              {publication.description && <span>{publication.description}</span>}
            </div>
          </div>
          <span className={css['side']}>
            <TimeAgo at={publication.publishedAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
