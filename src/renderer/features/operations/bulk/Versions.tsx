import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BulkDryRun, RerunVersion } from '../../../../contract/operations.ts';
import { t, tn } from '../../../../lib/language.ts';
import { commitQuery } from '../../../api/workflows.ts';
import { EnvironmentBadge } from '../../../ui/Badges.tsx';
import { HashLabel } from '../../../ui/HashLabel.tsx';
import css from '../shared/Operations.module.css';
import { jobsText } from '../shared/labels.ts';

const SHOWN = 5;

/** What a rerun would run on, and how many jobs each. */
export function Versions({ versions = [], unchecked = 0 }: Pick<BulkDryRun, 'versions' | 'unchecked'>): ReactNode {
  return (
    <>
      <ul className={`bare ${css['versions']}`} aria-label={t('Versions')}>
        {versions.slice(0, SHOWN).map((version) => (
          <Version key={`${version.workflowId} ${version.environment} ${version.commit}`} version={version} />
        ))}
        {versions.length > SHOWN && (
          <li className="dim">{t('and {count} more', { count: versions.length - SHOWN })}</li>
        )}
      </ul>
      {unchecked > 0 && (
        <Text size="sm" c="dimmed">
          {tn(
            'The inputs of {count} job were not yet checked against the changed input schema. They are checked before the rerun; a job with invalid inputs is skipped.',
            'The inputs of {count} jobs were not yet checked against the changed input schema. They are checked before each rerun; jobs with invalid inputs are skipped.',
            unchecked,
          )}
        </Text>
      )}
    </>
  );
}

function Version({ version: { workflowId, environment, commit, jobs, same } }: { version: RerunVersion }): ReactNode {
  const { data } = useQuery({ ...commitQuery(workflowId, commit), retry: false, staleTime: Infinity });
  return (
    <li>
      <span className="numbers">{jobsText(jobs)}</span>
      {environment !== null && <EnvironmentBadge environment={environment} />}
      <HashLabel hash={commit} />
      <span className="clip" title={data?.message}>
        {data?.message.split('\n', 1)[0] ?? workflowId}
      </span>
      {same > 0 && (
        <span className="dim">
          {tn('{count} already ran on it', '{count} already ran on it', Math.min(same, jobs))}
        </span>
      )}
    </li>
  );
}
