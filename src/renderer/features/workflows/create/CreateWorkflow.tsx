import { Modal, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { createWorkflow, workflowKeys } from '../../../api/workflows.ts';
import { inProject, ownProject } from '../../../stores/permissions.ts';
import { useRights } from '../../../stores/role.ts';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { ProjectField } from '../../settings/ProjectField.tsx';
import { createDrafts } from '../draft/drafts.ts';
import { idFault, idFromName } from '../../../ui/ids.ts';
import { emptyText, starterText } from '../definition/starter.ts';
import { bindText } from '../../../ui/bind.ts';

type Start = 'template' | 'empty';

/**
 * The form for a new workflow. What it starts with becomes a draft in the editor: nothing is saved before its author says so.
 * `refusal`: why none can be made here, said at once, as the menu of the desktop app and links lead here too.
 */
export function CreateWorkflow({
  opened,
  refusal,
  onClose,
  onCreated,
}: {
  opened: boolean;
  refusal: string | null;
  onClose: () => void;
  onCreated: (id: string) => void;
}): ReactNode {
  return (
    <Modal opened={opened} onClose={onClose} title={<strong>{t('New workflow')}</strong>} size="lg">
      {opened && <Form refusal={refusal} onClose={onClose} onCreated={onCreated} />}
    </Modal>
  );
}

function Form({
  refusal,
  onClose,
  onCreated,
}: {
  refusal: string | null;
  onClose: () => void;
  onCreated: (id: string) => void;
}): ReactNode {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [typedId, setTypedId] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const [start, setStart] = useState<Start>('template');
  const [tried, setTried] = useState(false);
  const [taken, setTaken] = useState<string | null>(null);
  const id = typedId ?? idFromName(name);
  const rights = useRights();
  const [project, setProject] = useState(() => ownProject(rights, 'workflows.write'));
  const idError =
    taken === id
      ? t('This ID is already used. Archived workflows keep their ID.')
      : tried || typedId !== null
        ? idFault(id)
        : null;

  const create = async () => {
    try {
      const workflow = await createWorkflow({
        id,
        name: name.trim(),
        description: description.trim() === '' ? null : description.trim(),
        ...inProject(project),
      });
      createDrafts(window.localStorage).save(id, {
        text: start === 'template' ? starterText(workflow.name) : emptyText(workflow.name),
        parent: null,
        at: Date.now(),
      });
      await client.invalidateQueries({ queryKey: workflowKeys.all });
      toastSuccess(t('Created {id}', { id }), t('Save the first version in the editor.'));
      onCreated(id);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'WORKFLOW_EXISTS') throw error;
      setTaken(id);
    }
  };
  const submit = () => {
    setTried(true);
    return idFault(id) !== null || name.trim() === '' ? null : create();
  };

  return (
    <SubmitForm submitLabel={t('Create')} disabled={refusal !== null} onCancel={onClose} onSubmit={submit}>
      <TextInput
        label={t('Name')}
        description={t('Display name')}
        {...bindText(name, setName)}
        maxLength={200}
        data-autofocus
        required
        error={tried && name.trim() === '' ? t('Name is required.') : null}
      />
      <TextInput
        label={t('ID')}
        description={t("Part of the URL. Lowercase letters, digits and hyphens, max. 63. Can't be changed later.")}
        {...bindText(id, setTypedId)}
        required
        error={idError}
        spellCheck={false}
        autoComplete="off"
      />
      <Textarea
        label={t('Description')}
        {...bindText(description, setDescription)}
        maxLength={2000}
        autosize
        minRows={2}
        maxRows={6}
      />
      <ProjectField
        action="workflows.write"
        description={t('Who may see and change it')}
        value={project}
        onChange={setProject}
      />
      <Radio.Group label={t('Start with')} value={start} onChange={(value) => setStart(value)}>
        <Stack gap="xs" mt={6}>
          <Radio
            value="template"
            label={t('Small example')}
            description={t('Input, transform and output; ready to run')}
          />
          <Radio value="empty" label={t('Blank workflow')} description={t('No nodes')} />
        </Stack>
      </Radio.Group>
      {refusal !== null && <p className="dim">{refusal}</p>}
    </SubmitForm>
  );
}
