import { Textarea, TextInput } from '@mantine/core';
import { IconEdit } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { updateWorkflow, workflowKeys } from '../../../api/workflows.ts';
import { useRights } from '../../../stores/role.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { placeOf, whyNoRename } from '../../../stores/permissions.ts';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { bindText } from '../../../ui/bind.ts';

/** Changes what people read of a workflow: its name and description. Its id stays. */
export function RenameWorkflow({ workflow }: { workflow: Workflow }): ReactNode {
  const rights = useRights();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ReasonButton
        variant="default"
        leftSection={<IconEdit size={16} aria-hidden="true" />}
        reason={workflow.archivedAt === null ? whyNoRename(rights, placeOf(workflow)) : t('The workflow is archived.')}
        onClick={() => setOpened(true)}
      >
        {t('Rename')}
      </ReasonButton>
      {opened && <Form workflow={workflow} onClose={() => setOpened(false)} />}
    </>
  );
}

function Form({ workflow, onClose }: { workflow: Workflow; onClose: () => void }): ReactNode {
  const client = useQueryClient();
  const [name, setName] = useState(workflow.name);
  const [description, setDescription] = useState(workflow.description ?? '');
  const save = async () => {
    await updateWorkflow(workflow.id, {
      name: name.trim(),
      description: description.trim() === '' ? null : description.trim(),
    });
    await client.invalidateQueries({ queryKey: workflowKeys.all });
    toastSuccess(t('Updated {id}', { id: workflow.id }));
    onClose();
  };
  return (
    <FormDialog
      title={t('Name and description')}
      onClose={onClose}
      onSubmit={() => (name.trim() === '' ? null : save())}
    >
      <TextInput
        label={t('Name')}
        {...bindText(name, setName)}
        maxLength={200}
        required
        data-autofocus
        error={name.trim() === '' ? t('Name is required.') : null}
      />
      <Textarea
        label={t('Description')}
        {...bindText(description, setDescription)}
        maxLength={2000}
        autosize
        minRows={3}
        maxRows={10}
      />
    </FormDialog>
  );
}
