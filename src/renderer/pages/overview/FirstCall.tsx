import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../contract/api.ts';
import { useMasterUrl } from '../../stores/desktop.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { Section } from '../../ui/Segment.tsx';
import css from './OverviewPage.module.css';

/** While no job ran in the last hour: how one comes about. */
export function FirstCall({ publications }: { publications: Overview['publications'] }) {
  const origin = useMasterUrl();
  const published = publications.find((publication) => publication.hash !== null);
  return (
    <Section title="No jobs in the last hour">
      {published === undefined ? (
        <p>
          A job is made by each call of a published workflow. <Link to="/workflows">Open a workflow</Link>, publish a version to dev, and call its endpoint.
        </p>
      ) : (
        <div className={css['stack']}>
          <p>
            A job is made by each call of a published workflow. Fill in the input and an <Link to="/settings" search={{ tab: 'keys' }}>API key</Link>, or use{' '}
            <Link to="/workflows/$workflowId" params={{ workflowId: published.workflowId }} search={{ tab: 'try' }}>
              its Try it tab
            </Link>
            .
          </p>
          <CommandLine label={`Call ${published.workflowId} in ${published.environment}`} command={curl(origin, published.workflowId, published.environment)} />
        </div>
      )}
    </Section>
  );
}

const curl = (origin: string, workflowId: string, environment: string): string =>
  `curl -X POST ${origin}/api/v1/events/${workflowId}/${environment} -H 'content-type: application/json' -H "api-key: $YARDMASTER_API_KEY" -d '[{}]'`;
