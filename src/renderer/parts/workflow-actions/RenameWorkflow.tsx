import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { IconEdit } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Workflow } from '../../../contract/api.ts';
import { updateWorkflow, workflowKeys } from '../../api/workflows.ts';
import { useRole } from '../../stores/role.ts';
import { ErrorLine } from '../../ui/ErrorState.tsx';
import { sayDone } from '../../ui/toasts.tsx';
import { whyNoRename } from '../workflow-publish/rules.ts';
import { ReasonButton } from './ReasonButton.tsx';

/** Changes what people read of a workflow: its name and description. Its id stays. */
export function RenameWorkflow({ workflow }: { workflow: Workflow }): ReactNode {
  const { role } = useRole();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ReasonButton variant="default" leftSection={<IconEdit size={16} aria-hidden="true" />} reason={workflow.archivedAt === null ? whyNoRename(role) : 'It is archived.'} onClick={() => setOpened(true)}>
        Rename
      </ReasonButton>
      {opened && <Form workflow={workflow} onClose={() => setOpened(false)} />}
    </>
  );
}

function Form({ workflow, onClose }: { workflow: Workflow; onClose: () => void }): ReactNode {
  const client = useQueryClient();
  const [name, setName] = useState(workflow.name);
  const [description, setDescription] = useState(workflow.description ?? '');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || busy) return;
    setBusy(true);
    setError(null);
    try {
      await updateWorkflow(workflow.id, { name: name.trim(), description: description.trim() === '' ? null : description.trim() });
      await client.invalidateQueries({ queryKey: workflowKeys.all });
      sayDone(`Changed ${workflow.id}`);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={<strong>Name and description</strong>}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} maxLength={200} required data-autofocus error={name.trim() === '' ? 'Give it a name.' : null} />
          <Textarea label="Description" value={description} onChange={(event) => setDescription(event.currentTarget.value)} maxLength={2000} autosize minRows={3} maxRows={10} />
          {error !== null && <ErrorLine error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
