import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../contract/api.ts';
import { t } from '../../../lib/language.ts';
import { useMasterUrl } from '../../stores/desktop.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { Section } from '../../ui/Segment.tsx';
import { rich } from '../../ui/rich.tsx';
import css from './OverviewPage.module.css';

/** While no job ran in the last hour: how one comes about. */
export function FirstCall({ publications }: { publications: Overview['publications'] }) {
  const origin = useMasterUrl();
  const published = publications.find((publication) => publication.hash !== null);
  return (
    <Section title={t('No jobs in the last hour')}>
      {published === undefined ? (
        <p>
          {rich('A job is made by each call of a published workflow. {link}, publish a version to dev, and call its endpoint.', { link: <Link to="/workflows">{t('Open a workflow')}</Link> })}
        </p>
      ) : (
        <div className={css['stack']}>
          <p>
            {rich('A job is made by each call of a published workflow. Fill in the input and an {link}, or use {link2}.', { link: <Link to="/settings" search={{ tab: 'keys' }}>{t('API key')}</Link>, link2: <Link to="/workflows/$workflowId" params={{ workflowId: published.workflowId }} search={{ tab: 'try' }}>
              {t('its Try it tab')}
            </Link> })}
          </p>
          <CommandLine label={t('Call {workflowId} in {environment}', { workflowId: published.workflowId, environment: published.environment })} command={curl(origin, published.workflowId, published.environment)} />
        </div>
      )}
    </Section>
  );
}

const curl = (origin: string, workflowId: string, environment: string): string =>
  `curl -X POST ${origin}/api/v1/events/${workflowId}/${environment} -H 'content-type: application/json' -H "api-key: $YARDMASTER_API_KEY" -d '[{}]'`;
