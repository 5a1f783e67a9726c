import { Anchor, Group, Switch, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TestReport } from '../../../../contract/workflow-tests.ts';
import { t } from '../../../../lib/language.ts';
import { bindChecked } from '../../../ui/bind.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { coverageText } from './coverage.ts';

/** In the builder: what the test cases came to on the version that was saved, and whether the canvas shows what they reach. */
export function TestOutcome({
  workflowId,
  commit,
  query: { data: report, error, isFetching },
  showsCoverage,
  onCoverage,
}: {
  workflowId: string;
  commit: string;
  query: { readonly data: TestReport | undefined; readonly error: Error | null; readonly isFetching: boolean };
  showsCoverage: boolean;
  onCoverage: (on: boolean) => void;
}): ReactNode {
  const count = report?.cases.length ?? 0;
  // Quiet while there is nothing to say: most workflows have no cases.
  if (!showsCoverage && count === 0) return null;
  return (
    <Group gap="4px 10px" miw={0} role="status">
      {isFetching ? (
        <Text size="xs" c="dimmed">
          {t('Tests are running…')}
        </Text>
      ) : error !== null ? (
        <ErrorLine error={error} />
      ) : (
        report && <Passed report={report} commit={commit} />
      )}
      <Anchor
        size="xs"
        flex="none"
        renderRoot={(props) => (
          <Link to="/workflows/$workflowId" params={{ workflowId }} search={{ tab: 'tests' }} {...props} />
        )}
      >
        {t('Show tests')}
      </Anchor>
      <Switch size="xs" flex="none" label={t('Coverage on the canvas')} {...bindChecked(showsCoverage, onCoverage)} />
      {showsCoverage && report && count > 0 && (
        <Text size="xs" c="dimmed" className="clip">
          {coverageText(report)}
        </Text>
      )}
    </Group>
  );
}

function Passed({ report: { passed, failed, cases }, commit }: { report: TestReport; commit: string }): ReactNode {
  if (cases.length === 0)
    return (
      <Text size="xs" c="dimmed">
        {t('No test cases yet')}
      </Text>
    );
  const good = failed === 0;
  const Icon = good ? IconCircleCheck : IconCircleX;
  const names = cases.flatMap(({ name, ok }) => (ok ? [] : [name]));
  return (
    <Group gap={6} wrap="nowrap" miw={0} c={good ? 'var(--tone-done-text)' : 'var(--tone-fail-text)'}>
      <Icon size={15} aria-hidden="true" style={{ flex: 'none' }} />
      <Text size="xs" className="clip" title={names.join('\n')}>
        {t('Tests of {hash}: {passed} of {all} passed', { hash: commit.slice(0, 8), passed, all: cases.length })}
        {!good && `. ${t('Failed: {names}', { names: names.join(', ') })}`}
      </Text>
    </Group>
  );
}
