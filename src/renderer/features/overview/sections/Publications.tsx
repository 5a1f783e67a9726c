import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../../contract/master.ts';
import { t } from '../../../../lib/language.ts';
import { EnvironmentBadge } from '../../../ui/Badges.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { rich } from '../../../ui/rich.tsx';
import css from './OverviewPage.module.css';

const SHOWN = 6;

export function Publications({ publications }: { publications: Overview['publications'] }) {
  if (publications.length === 0) {
    return (
      <div className={css['quiet']}>
        <p>
          {rich('Nothing published yet. {link} and publish a version.', {
            link: <Link to="/workflows">{t('Create or open a workflow')}</Link>,
          })}
        </p>
      </div>
    );
  }
  return (
    <ul className={`bare ${css['list']}`}>
      {publications.slice(0, SHOWN).map((publication) => (
        <li key={publication.id}>
          <div className={css['grow']}>
            <Link
              to="/workflows/$workflowId"
              params={{ workflowId: publication.workflowId }}
              search={{ tab: 'versions' }}
            >
              {publication.workflowId}
            </Link>{' '}
            {publication.hash === null ? t('unpublished from') : t('to')}{' '}
            <EnvironmentBadge environment={publication.environment} />
            <div className={css['sub']}>
              {typeof publication.number === 'number' && (
                <strong>{t('v{number}', { number: publication.number })}</strong>
              )}
              {publication.hash !== null && <span className="mono">{publication.hash.slice(0, 8)}</span>}
              <span>{t('by {publishedBy}', { publishedBy: publication.publishedBy })}</span>
              {publication.approvedBy !== undefined && (
                <span>{t('approved by {name}', { name: publication.approvedBy })}</span>
              )}
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
