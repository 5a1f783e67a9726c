import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TestReport } from '../../../../contract/workflow-tests.ts';
import { t, tn } from '../../../../lib/language.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { coverageText, edgeText } from './coverage.ts';
import { FailedCases } from './FailedCases.tsx';

/** What a run came to: how many passed, how the others differ, and which nodes and edges no case reached. */
export function TestReportView({
  workflowId,
  report,
  commit,
}: {
  workflowId: string;
  report: TestReport;
  commit: string;
}): ReactNode {
  const { passed, failed, cases, coverage } = report;
  const missedEdges = coverage.missedEdges ?? [];
  const missed = (
    <>
      {coverage.missed.length > 0 && (
        <Text size="sm">{t('Nodes that no case reached: {nodes}', { nodes: coverage.missed.join(', ') })}</Text>
      )}
      {missedEdges.length > 0 && (
        <Text size="sm">{t('Edges that no case took: {edges}', { edges: missedEdges.map(edgeText).join(', ') })}</Text>
      )}
      <Text size="sm">
        {coverageText(report)}
        {'. '}
        <Link to="/workflows/$workflowId" params={{ workflowId }} search={{ coverage: 'on' }}>
          {t('Show on the canvas')}
        </Link>
      </Text>
    </>
  );
  const hash = commit.slice(0, 8);
  if (failed === 0)
    return (
      <div role="status">
        <Callout
          tone="info"
          title={tn('{count} test case passed on {hash}', '{count} test cases passed on {hash}', passed, { hash })}
        >
          {missed}
        </Callout>
      </div>
    );
  return (
    <Callout
      tone="fail"
      title={tn('{count} test case failed on {hash}', '{count} test cases failed on {hash}', failed, { hash })}
    >
      <FailedCases cases={cases} failed={failed} />
      {missed}
    </Callout>
  );
}
