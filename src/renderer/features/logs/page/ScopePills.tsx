import { Flex, Pill } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import type { LogsSearch } from '../logs-search.ts';

const SCOPES = [
  ['job', t('Job')],
  ['task', t('Task')],
  ['worker', t('Worker')],
  ['source', t('Source')],
  ['level', t('Level')],
] as const;

/** What the lines are narrowed to from elsewhere: a job, a task, a worker. */
export function ScopePills({
  search,
  onRemove,
}: {
  search: LogsSearch;
  onRemove(scope: (typeof SCOPES)[number][0]): void;
}): ReactNode {
  if (SCOPES.every(([key]) => search[key] === undefined)) return null;
  return (
    <Flex gap={6} wrap="wrap">
      {SCOPES.map(([key, word]) => {
        const id = search[key];
        if (id === undefined) return null;
        return (
          <Pill
            key={key}
            withRemoveButton
            removeButtonProps={{
              'aria-label': t('All, not only this {key}', { key }),
              tabIndex: 0,
              'aria-hidden': false,
            }}
            onRemove={() => onRemove(key)}
          >
            {word} {id}
          </Pill>
        );
      })}
    </Flex>
  );
}
