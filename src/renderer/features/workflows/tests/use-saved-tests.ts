import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { testReportQuery } from '../../../api/workflow-tests.ts';
import { placeOf } from '../../../stores/permissions.ts';
import { useWhy } from '../../../stores/role.ts';
import { canvasCoverage } from './coverage.ts';

/**
 * The test cases on the version that the draft is based on: run once it was saved here, or where the canvas is to show what
 * they reach. `commit` null: nothing is run.
 */
export function useSavedTests(
  workflow: Workflow,
  parent: string | null,
  { saved, showsCoverage, definition }: { saved: string | null; showsCoverage: boolean; definition: Definition | null },
) {
  const mayRun = useWhy('workflows.write', placeOf(workflow)) === undefined;
  const commit = mayRun && parent !== null && (showsCoverage || saved === parent) ? parent : null;
  const query = useQuery({ ...testReportQuery(workflow.id, commit ?? ''), enabled: commit !== null });
  const report = commit === null ? undefined : query.data;
  const coverage = useMemo(
    () =>
      showsCoverage && definition && report && report.cases.length > 0 ? canvasCoverage(definition, report) : null,
    [showsCoverage, definition, report],
  );
  return { commit, query, coverage };
}
