import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TestResult } from '../../../../contract/workflow-tests.ts';
import { t } from '../../../../lib/language.ts';
import classes from './Tests.module.css';

const SHOWN = 20;

/** The cases that failed and how each differs. `failed`: of how many, where not all are in the list. */
export function FailedCases({ cases, failed }: { cases: readonly TestResult[]; failed: number }): ReactNode {
  const shown = cases.filter(({ ok }) => !ok).slice(0, SHOWN);
  return (
    <>
      <dl className={classes.differences} tabIndex={0} aria-label={t('Failed test cases')}>
        {shown.map(({ name, difference }) => (
          <div key={name}>
            <dt>{name}</dt>
            {difference !== undefined && (
              <dd>
                <pre>{difference}</pre>
              </dd>
            )}
          </div>
        ))}
      </dl>
      {failed > shown.length && <Text size="sm">{t('and {count} more', { count: failed - shown.length })}</Text>}
    </>
  );
}
