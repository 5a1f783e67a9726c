import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../../contract/master.ts';
import { withPlainNumbers } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';
import { commitQuery } from '../../../api/workflows.ts';
import { endpointPath } from '../../workflows/endpoint.ts';
import { sampleInputs } from '../../workflows/sample-input.ts';
import { codeSnippet } from '../../workflows/snippets.ts';
import { useMasterUrl } from '../../../stores/desktop.ts';
import { CommandLine } from '../../../ui/CommandLine.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { rich } from '../../../ui/rich.tsx';

/** While no job ran in the last hour: how one comes about. */
export function FirstCall({ publications }: { publications: Overview['publications'] }) {
  const origin = useMasterUrl();
  const published = publications.find((publication) => publication.hash !== null);
  const { data: version } = useQuery({
    ...commitQuery(published?.workflowId ?? '', published?.hash ?? ''),
    enabled: published !== undefined,
  });
  const input = version === undefined ? '[{}]' : sampleInputs(withPlainNumbers(version.definition.input));
  return (
    <Section title={t('No jobs in the last hour')}>
      {published === undefined ? (
        <p>
          {rich(
            'Each call to a published workflow creates a job. {link}, publish a version to dev, then call its endpoint.',
            { link: <Link to="/workflows">{t('Create or open a workflow')}</Link> },
          )}
        </p>
      ) : (
        <Stack gap="var(--gap)" miw={0}>
          <p>
            {rich('Each call to a published workflow creates a job. Use an {link}, or {link2}.', {
              link: (
                <Link to="/settings" search={{ tab: 'keys' }}>
                  {t('API key')}
                </Link>
              ),
              link2: (
                <Link to="/workflows/$workflowId" params={{ workflowId: published.workflowId }} search={{ tab: 'try' }}>
                  {t("the workflow's “Try it” tab")}
                </Link>
              ),
            })}
          </p>
          <CommandLine
            label={t('Call {workflowId} in {environment}', {
              workflowId: published.workflowId,
              environment: published.environment,
            })}
            command={codeSnippet('curl', {
              url: `${origin}${endpointPath(published.workflowId, published.environment)}`,
              body: input,
              async: false,
            })}
          />
        </Stack>
      )}
    </Section>
  );
}
