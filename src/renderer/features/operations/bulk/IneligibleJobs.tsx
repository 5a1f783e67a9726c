import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { BulkDryRun } from '../../../../contract/operations.ts';
import type { OperationKind } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { jobsText, reasonText } from '../shared/labels.ts';

/** The jobs with which it would not be done, by their reasons. */
export function IneligibleJobs({
  kind,
  ineligible,
}: {
  kind: OperationKind;
  ineligible: BulkDryRun['ineligible'];
}): ReactNode {
  if (ineligible.length === 0) return null;
  return (
    <div>
      <Text size="sm">{t('Skipped:')}</Text>
      <ul aria-label={t('Skipped')}>
        {ineligible.map(({ reason, count }) => (
          <li key={reason}>
            <Text size="sm" span>
              <span className="numbers">{jobsText(count)}</span>: {reasonText(reason, kind)}{' '}
              <span className="mono dim">{reason}</span>
            </Text>
          </li>
        ))}
      </ul>
    </div>
  );
}
