import { Button } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ignoringCase } from '../query/ignoring-case.ts';
import type { LogsSearch } from '../logs-search.ts';

/** Why there is no line to be seen. `onWhole`: searches all time; `onQuery`: searches for something else. */
export function NoLines({
  refused,
  live,
  search,
  onWhole,
  onQuery,
}: {
  refused: boolean;
  live: boolean;
  search: LogsSearch;
  onWhole(): void;
  onQuery(query: string): void;
}): ReactNode {
  const anyCase = live ? null : ignoringCase(search.query ?? '');
  return refused ? (
    <EmptyState icon={IconFileText} title={t('Invalid query')}>
      {t('The error is marked above.')}
    </EmptyState>
  ) : (
    <EmptyState
      icon={IconFileText}
      title={t('No matching lines')}
      action={
        <>
          {search.range !== 'all' && (
            <Button variant="default" onClick={onWhole}>
              {t('Search all time')}
            </Button>
          )}
          {anyCase !== null && (
            <Button variant="default" onClick={() => onQuery(anyCase)}>
              {t('Ignore case')}
            </Button>
          )}
        </>
      }
    >
      {live
        ? t('Matching lines appear here within a second.')
        : search.query
          ? anyCase === null
            ? t('Change the query or select a longer time range.')
            : t('Words are case-sensitive. Change the query or select a longer time range.')
          : t('Tasks write log lines with ctx.log(level, message, fields); workers send them here.')}
    </EmptyState>
  );
}
