import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { t, tn } from '../../../../lib/language.ts';
import { keysQuery } from '../../../api/access.ts';
import { rich } from '../../../ui/rich.tsx';
import { reachesWorkflow, keyStatus } from '../keys/key-status.ts';

/** Keys that are looked at, and names that are written out. */
const READ = 500;
const NAMED = 6;

/** Which API keys reach an endpoint: without one, nobody can call it. */
export function PublishKeys({ workflowId, environment }: { workflowId: string; environment: Environment }): ReactNode {
  const query = useQuery(keysQuery({ page: 0, size: READ }));
  if (!query.data) return null;
  const keys = query.data.items.filter(
    (key) =>
      reachesWorkflow(key, workflowId) &&
      key.environments.includes(environment) &&
      keyStatus(key, Date.now()) === 'live',
  );
  if (keys.length === 0)
    return (
      <Text size="sm" mt={6} c="var(--tone-warn-text)">
        {rich('No API key has access. Create one under {keys}.', {
          keys: (
            <Link to="/workflows/$workflowId" params={{ workflowId }} search={{ tab: 'keys' }}>
              {t('Keys')}
            </Link>
          ),
        })}
      </Text>
    );
  const names = keys
    .slice(0, NAMED)
    .map(({ name }) => name)
    .join(', ');
  const more = keys.length - NAMED;
  return (
    <Text size="sm" mt={6} title={keys.map(({ name }) => name).join(', ')}>
      {tn('{count} API key has access: {names}', '{count} API keys have access: {names}', keys.length, { names })}
      {more > 0 && ` ${tn('and {count} more', 'and {count} more', more)}`}
    </Text>
  );
}
