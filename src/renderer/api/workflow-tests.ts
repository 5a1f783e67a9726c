import type { Body } from '../../contract/routes.ts';
import type { TestCase } from '../../contract/workflow-tests.ts';
import { call } from './client.ts';
import { read } from './read.ts';

export const workflowTestKeys = {
  of: (workflowId: string) => ['workflow-tests', workflowId] as const,
  report: (workflowId: string, commit: string) => ['workflow-tests', workflowId, 'report', commit] as const,
};

export const workflowTestsQuery = (workflowId: string) =>
  read(workflowTestKeys.of(workflowId), 'workflowTests.get', { params: { id: workflowId }, lossless: true });

/** Runs the saved cases on a version. */
export const runWorkflowTests = (workflowId: string, commit: string) =>
  call('workflowTests.run', { params: { id: workflowId }, body: { commit } });

/** What the saved cases come to on a version: it is run once, and anew after the cases have changed. */
export const testReportQuery = (workflowId: string, commit: string) =>
  read(
    workflowTestKeys.report(workflowId, commit),
    'workflowTests.run',
    { params: { id: workflowId }, body: { commit } },
    { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
  );

/** A case made of a job that has ended; it is not saved. */
export const recordWorkflowTest = (workflowId: string, body: Body<'workflowTests.record'>) =>
  call('workflowTests.record', { params: { id: workflowId }, body, lossless: true });

/**
 * Changes the saved cases. They are read anew first: the master keeps the list as a whole, and another person may have added to it
 * meanwhile. What `change` gives may have been typed; the master checks it and throws VALIDATION_FAILED.
 */
export async function changeTestCases(
  workflowId: string,
  change: (cases: readonly TestCase[]) => readonly unknown[],
): Promise<void> {
  const params = { id: workflowId };
  const { cases } = await call('workflowTests.get', { params, lossless: true });
  await call('workflowTests.replace', { params, json: JSON.stringify({ cases: change(cases) }) });
}
