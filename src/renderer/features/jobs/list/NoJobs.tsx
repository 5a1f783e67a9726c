import { Box, Button } from '@mantine/core';
import { IconFilterOff, IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { commitQuery, workflowsQuery } from '../../../api/workflows.ts';
import { endpointPath } from '../../workflows/endpoint.ts';
import { sampleInputs } from '../../workflows/sample-input.ts';
import { codeSnippet } from '../../workflows/snippets.ts';
import { useMasterUrl } from '../../../stores/desktop.ts';
import { CommandLine } from '../../../ui/CommandLine.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { rich } from '../../../ui/rich.tsx';
import { isFiltered } from './params.ts';
import type { JobsSearch } from '../jobs-list-search.ts';

/** Nothing matches, or nothing has run yet: then with the line that makes the first job. */
export function NoJobs({
  search,
  environment,
  onClear,
}: {
  search: JobsSearch;
  environment: string | undefined;
  onClear(): void;
}): ReactNode {
  if (isFiltered(search)) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title={t('No jobs match these filters')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('Clear filters')}
          </Button>
        }
      >
        {t('Matching jobs appear here automatically.')}
      </EmptyState>
    );
  }
  if (environment !== undefined)
    return (
      <EmptyState icon={IconFilterOff} title={t('No jobs in {environment} yet', { environment })}>
        {t('Change the environment at the top of the window.')}
      </EmptyState>
    );
  return <FirstJob />;
}

function FirstJob(): ReactNode {
  const { data: workflows } = useQuery(workflowsQuery({ size: 50, sort: 'id,asc' }));
  const origin = useMasterUrl();
  const published = workflows?.items.find((workflow) => workflow.environments.some((pointer) => pointer.hash !== null));
  const pointer = published?.environments.find((one) => one.hash !== null);
  // The call is one that the workflow takes as it stands.
  const { data: commit } = useQuery({
    ...commitQuery(published?.id ?? '', pointer?.hash ?? ''),
    enabled: pointer !== undefined,
  });
  const command = codeSnippet('curl', {
    url: origin + endpointPath(published?.id ?? 'WORKFLOW', pointer?.environment ?? 'dev'),
    body: sampleInputs(commit?.definition.input),
    async: false,
  });
  return (
    <EmptyState icon={IconStack2} title={t('No jobs yet')}>
      <Box w="min(62ch, 80vw)">
        <p>
          {rich('Each call to a published workflow creates a job. {value}', {
            value: published
              ? rich('Create an API key on the {link}, then call it:', {
                  link: (
                    <Link to="/workflows/$workflowId" params={{ workflowId: published.id }}>
                      {t('page of {name}', { name: published.name })}
                    </Link>
                  ),
                })
              : rich('Publish one of your {link} first, then call it:', {
                  link: <Link to="/workflows">{t('workflows')}</Link>,
                }),
          })}
        </p>
        <CommandLine label={t('In a terminal')} command={command} />
      </Box>
    </EmptyState>
  );
}
