import { Group, Stack, Text } from '@mantine/core';
import { IconCursorText, IconFlask, IconPencil, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { TestCase, TestReport } from '../../../../contract/workflow-tests.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import {
  changeTestCases,
  runWorkflowTests,
  workflowTestKeys,
  workflowTestsQuery,
} from '../../../api/workflow-tests.ts';
import { placeOf } from '../../../stores/permissions.ts';
import { useWhy } from '../../../stores/role.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { useSending } from '../../../ui/use-sending.ts';
import { CaseForm, RenameCase } from './CaseForm.tsx';
import { TestReportView } from './TestReportView.tsx';

type Doing =
  | { readonly what: 'edit'; readonly testCase: TestCase | null }
  | { readonly what: 'rename'; readonly testCase: TestCase };

/** Of a value, what a cell of the table has room for. */
const CELL_LETTERS = 200;
const shortJson = (value: unknown): string => (JSON.stringify(value) ?? '').slice(0, CELL_LETTERS);

function ValueCell({ value }: { value: unknown }): ReactNode {
  const text = shortJson(value);
  return (
    <span className="mono clip" title={text}>
      {text}
    </span>
  );
}

/** The test cases of a workflow, and what they come to on its newest version. */
export function TestsTab({ workflow }: { workflow: Workflow }): ReactNode {
  const client = useQueryClient();
  const query = useQuery(workflowTestsQuery(workflow.id));
  const why = useWhy('workflows.write', placeOf(workflow));
  const [doing, setDoing] = useState<Doing | null>(null);
  const [ran, setRan] = useState<{ readonly report: TestReport; readonly commit: string } | null>(null);
  const { ask, dialog } = useConfirm();
  const { busy, error, setError, send } = useSending();
  const cases = query.data?.cases;
  const { head } = workflow;

  /** What ran before says nothing of the cases as they are now. */
  const changed = () => {
    setRan(null);
    setError(null);
    return client.invalidateQueries({ queryKey: workflowTestKeys.of(workflow.id) });
  };
  const close = () => setDoing(null);
  const saved = () => {
    toastSuccess(t('Test case saved'));
    close();
    void changed();
  };
  const run = () =>
    void send(async () => {
      if (head === null) return;
      setRan(null);
      const report = await runWorkflowTests(workflow.id, head);
      setRan({ report, commit: head });
      // Somebody else may have changed them: the results are of those that the master has.
      await client.invalidateQueries({ queryKey: workflowTestKeys.of(workflow.id) });
      // The canvas of the builder shows the same run.
      client.setQueryData(workflowTestKeys.report(workflow.id, head), report);
    });

  const columns = useMemo((): readonly DataColumn<TestCase>[] => {
    const results = new Map(ran?.report.cases.map((one) => [one.name, one]));
    const remove = ({ name }: TestCase) =>
      ask({
        danger: true,
        title: t('Remove test case “{name}”?', { name }),
        confirmLabel: t('Remove 1 test case'),
        text: t('It is deleted for everybody. Publishing no longer depends on it.'),
        async run() {
          await changeTestCases(workflow.id, (now) => now.filter((one) => one.name !== name));
          toastSuccess(t('Test case removed'));
          await changed();
        },
      });
    return [
      {
        id: 'name',
        header: t('Name'),
        width: 200,
        grow: true,
        cell: ({ name }) => (
          <span className="clip" title={name}>
            {name}
          </span>
        ),
      },
      { id: 'input', header: t('Input'), width: 220, grow: true, cell: ({ input }) => <ValueCell value={input} /> },
      {
        id: 'expect',
        header: t('Expected'),
        width: 260,
        grow: true,
        cell: ({ expect }) => <ValueCell value={expect} />,
      },
      {
        id: 'result',
        header: t('Result'),
        width: 130,
        fits: true,
        cell: ({ name }) => {
          const result = results.get(name);
          if (result === undefined) return <span className="dim">{t('Not run')}</span>;
          return result.ok ? (
            <ToneBadge tone="done">{t('Passed')}</ToneBadge>
          ) : (
            <ToneBadge tone="fail">{t('Failed')}</ToneBadge>
          );
        },
      },
      actionsColumn<TestCase>(120, why, (testCase) => [
        {
          label: t('Edit {name}', { name: testCase.name }),
          icon: IconPencil,
          run: () => setDoing({ what: 'edit', testCase }),
        },
        {
          label: t('Rename {name}', { name: testCase.name }),
          icon: IconCursorText,
          run: () => setDoing({ what: 'rename', testCase }),
        },
        {
          label: t('Remove {name}', { name: testCase.name }),
          icon: IconTrash,
          danger: true,
          run: () => remove(testCase),
        },
      ]),
    ];
  }, [why, ran, workflow.id]);

  const create = (
    <ReasonButton
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      reason={why ?? null}
      variant="default"
      onClick={() => setDoing({ what: 'edit', testCase: null })}
    >
      {t('New test case')}
    </ReasonButton>
  );
  const whyNoRun =
    why ??
    (head === null
      ? t('No version yet. Save one in the builder.')
      : cases?.length === 0
        ? t('No test cases yet')
        : null);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('Cases run without a worker and without a job. No external calls are made.')}
        </Text>
        <Group gap="xs">
          {create}
          <ReasonButton
            leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
            reason={whyNoRun}
            hint={t('Run all cases on the newest version')}
            loading={busy}
            onClick={run}
          >
            {t('Run tests')}
          </ReasonButton>
        </Group>
      </Group>
      <ErrorLine error={error} />
      {ran !== null && <TestReportView workflowId={workflow.id} {...ran} />}
      <DataTable
        label={t('Test cases of {id}', { id: workflow.id })}
        columns={columns}
        rows={cases}
        rowId={({ name }) => name}
        query={query}
        what={t('Could not load the test cases')}
        {...(why === undefined && { onOpen: (testCase: TestCase) => setDoing({ what: 'edit', testCase }) })}
        storageKey="workflow-tests"
        maxHeight={560}
        empty={
          <EmptyState icon={IconFlask} title={t('No test cases yet')} action={create}>
            {t('Open a finished job of this workflow and select “Save as test case”, or write a case here.')}
          </EmptyState>
        }
      />
      {doing?.what === 'edit' && (
        <CaseForm workflowId={workflow.id} testCase={doing.testCase} onClose={close} onSaved={saved} />
      )}
      {doing?.what === 'rename' && (
        <RenameCase workflowId={workflow.id} testCase={doing.testCase} onClose={close} onSaved={saved} />
      )}
      {dialog}
    </Stack>
  );
}
