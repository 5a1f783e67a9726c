import { NumberInput, Text, TextInput } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { changeTestCases, recordWorkflowTest, workflowTestKeys } from '../../../api/workflow-tests.ts';
import { bindText } from '../../../ui/bind.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';

/** Makes a test case of a job that has finished. `reason`: why one may not. */
export function SaveAsTest({ job, reason }: { job: Job; reason: string | null }): ReactNode {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ReasonButton
        variant="default"
        leftSection={<IconFlask size={15} aria-hidden />}
        reason={reason ?? (job.finishedAt === null ? t('The job has not finished yet.') : null)}
        hint={t('Test the workflow with the data of this job')}
        onClick={() => setOpened(true)}
      >
        {t('Save as test case')}
      </ReasonButton>
      {opened && <Form job={job} onClose={() => setOpened(false)} />}
    </>
  );
}

function Form({ job, onClose }: { job: Job; onClose: () => void }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { workflowId } = job;
  const [name, setName] = useState(() => t('Job {value}', { value: job.id }));
  const [replica, setReplica] = useState(0);
  const save = async () => {
    const made = await recordWorkflowTest(workflowId, { jobId: job.id, replica, name: name.trim() });
    await changeTestCases(workflowId, (cases) => [...cases, made]);
    void client.invalidateQueries({ queryKey: workflowTestKeys.of(workflowId) });
    toastSuccess(t('Test case saved'), made.name, {
      label: t('Show tests'),
      run: () => void navigate({ to: '/workflows/$workflowId', params: { workflowId }, search: { tab: 'tests' } }),
    });
    onClose();
  };
  return (
    <FormDialog
      title={t('Save as test case')}
      submitFocused
      disabled={name.trim() === ''}
      onClose={onClose}
      onSubmit={save}
    >
      <Text size="sm">
        {t(
          'The case has the input of this job, what came from outside as stand-ins, and its output or failure as the expectation. Values of secrets are removed.',
        )}
      </Text>
      <TextInput label={t('Name')} {...bindText(name, setName)} maxLength={200} required />
      {job.inputCount > 1 && (
        <NumberInput
          label={t('Replica')}
          value={replica}
          onChange={(next) => setReplica(Number(next))}
          min={0}
          max={job.inputCount - 1}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
        />
      )}
    </FormDialog>
  );
}
