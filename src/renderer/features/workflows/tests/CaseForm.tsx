import { Text, TextInput } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { TestCase } from '../../../../contract/workflow-tests.ts';
import { isRecord } from '../../../../lib/is-record.ts';
import { parseJson } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';
import { changeTestCases } from '../../../api/workflow-tests.ts';
import { bindText } from '../../../ui/bind.ts';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { scanJson } from '../../../ui/json-text/scan.ts';

const STARTER = { name: '', input: {}, expect: { output: {} } };

interface CaseProps {
  readonly workflowId: string;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

const saveCase = (workflowId: string, name: string | undefined, next: unknown): Promise<void> =>
  changeTestCases(workflowId, (cases) =>
    cases.some((one) => one.name === name)
      ? cases.map((one) => (one.name === name ? next : one))
      : // New, or deleted by somebody else meanwhile.
        [...cases, next],
  );

/** A case as JSON. Null: a new one. */
export function CaseForm({
  workflowId,
  testCase,
  onClose,
  onSaved,
}: CaseProps & { readonly testCase: TestCase | null }): ReactNode {
  const [name, setName] = useState(testCase?.name ?? '');
  const [text, setText] = useState(() => {
    const { name: _, ...rest } = testCase ?? STARTER;
    return JSON.stringify(rest, null, 2);
  });
  const diagnostics = useMemo(
    () => scanJson(text).errors.map((one) => ({ ...one, severity: 'error' as const })),
    [text],
  );
  const [noObject, setNoObject] = useState(false);
  const submit = () => {
    if (name.trim() === '' || diagnostics.length > 0) return null;
    const typed = parseJson(text);
    setNoObject(!isRecord(typed));
    if (!isRecord(typed)) return null;
    return saveCase(workflowId, testCase?.name, { ...typed, name: name.trim() }).then(onSaved);
  };
  const fault = diagnostics[0]?.message ?? (noObject ? t('Expected an object with "input" and "expect".') : undefined);
  return (
    <FormDialog
      title={testCase === null ? t('New test case') : t('Edit test case')}
      size="xl"
      disabled={name.trim() === '' || diagnostics.length > 0}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput label={t('Name')} {...bindText(name, setName)} maxLength={200} required data-autofocus />
      <CodeEditor
        label={t('Test case as JSON')}
        value={text}
        onChange={(next) => {
          setNoObject(false);
          setText(next);
        }}
        minHeight={240}
        maxHeight={460}
        diagnostics={diagnostics}
      />
      {fault !== undefined && (
        <Text size="sm" c="var(--tone-warn-text)" role="status">
          {fault}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t(
          '"expect" has exactly one of "output", "schema", "expression" and "failure". "outputs" holds stand-ins by node ID for nodes that call or wait for something outside.',
        )}
      </Text>
    </FormDialog>
  );
}

/** Another name for a case. */
export function RenameCase({
  workflowId,
  testCase,
  onClose,
  onSaved,
}: CaseProps & { readonly testCase: TestCase }): ReactNode {
  const [name, setName] = useState(testCase.name);
  return (
    <FormDialog
      title={t('Rename test case')}
      submitLabel={t('Rename')}
      disabled={name.trim() === ''}
      onClose={onClose}
      onSubmit={() =>
        changeTestCases(workflowId, (cases) =>
          cases.map((one) => (one.name === testCase.name ? { ...one, name: name.trim() } : one)),
        ).then(onSaved)
      }
    >
      <TextInput label={t('Name')} {...bindText(name, setName)} maxLength={200} required data-autofocus />
    </FormDialog>
  );
}
