import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Environment } from '../../../../contract/vocabulary.ts';
import type { TestResult } from '../../../../contract/workflow-tests.ts';
import { t, tn } from '../../../../lib/language.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { useWhyNotAdministrator } from '../../../stores/role.ts';
import { Callout } from '../../../ui/Callout.tsx';
import type { Question } from '../../../ui/ConfirmAction.tsx';
import { FailedCases } from '../tests/FailedCases.tsx';
import { type NamedVersion, versionName } from '../version-name.ts';

export const isTestsFailed = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'TESTS_FAILED';

/** What an administrator is asked before a version is published although its tests fail. */
export const publishAnyway = (environment: Environment, version: NamedVersion, run: () => Promise<void>): Question => ({
  danger: true,
  title: t('Publish {hash} although tests fail?', { hash: versionName(version) }),
  confirmLabel: t('Publish anyway'),
  text: t('{environment} requires tests that pass. The audit log records you and the cases that failed.', {
    environment,
  }),
  run,
});

/** Which tests of a workflow hold a publication back, the way to them, and for administrators the way past them. */
export function TestsFailed({
  workflowId,
  environment,
  error,
  onAnyway,
}: {
  workflowId: string;
  environment: Environment;
  error: ApiError;
  onAnyway: () => void;
}): ReactNode {
  const whyNot = useWhyNotAdministrator();
  const cases = (error.problem['cases'] ?? []) as readonly TestResult[];
  const failed = Number(error.problem['failed'] ?? 0);
  return (
    <Callout
      tone="fail"
      title={tn(
        '{count} test case fails. {environment} requires them to pass.',
        '{count} test cases fail. {environment} requires them to pass.',
        failed,
        { environment },
      )}
    >
      <FailedCases cases={cases} failed={failed} />
      <Text size="sm" mb="xs">
        <Link to="/workflows/$workflowId" params={{ workflowId }} search={{ tab: 'tests' }}>
          {t('Show tests')}
        </Link>
      </Text>
      {whyNot === undefined ? (
        <Button color="red.9" onClick={onAnyway}>
          {t('Publish anyway')}
        </Button>
      ) : (
        <Text size="sm">{t('An administrator of all projects can publish anyway.')}</Text>
      )}
    </Callout>
  );
}
