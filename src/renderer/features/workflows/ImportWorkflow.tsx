import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { createWorkflow, workflowKeys, workflowQuery } from '../../api/workflows.ts';
import { useRights } from '../../stores/role.ts';
import { ErrorLine } from '../../ui/ErrorState.tsx';
import { FormModal } from '../../ui/FormModal.tsx';
import { SubmitForm } from '../../ui/SubmitForm.tsx';
import { toastSuccess } from '../../ui/toasts.tsx';
import { createDrafts } from './draft/drafts.ts';
import { idFault, WORKFLOW_ID_PATTERN } from '../../ui/ids.ts';
import { inProject, ownProject, whyNoCreate } from '../../stores/permissions.ts';
import { readWorkflow, type ReadWorkflow } from './create/read-import.ts';
import { bindText } from '../../ui/bind.ts';

interface Props {
  file: { name: string; bytes: Uint8Array };
  onClose(): void;
  /** It is in the editor of that workflow, as a draft. */
  onImported(id: string): void;
}

/** Takes a workflow from a file into the editor. Nothing is saved: it becomes a draft, of a new workflow or over the newest version of one. */
export function ImportWorkflow({ file, onClose, onImported }: Props): ReactNode {
  const read = useMemo((): ReadWorkflow | Error => {
    try {
      return readWorkflow(file.bytes, file.name);
    } catch (error) {
      return error as Error;
    }
  }, [file]);
  return (
    <FormModal opened onClose={onClose} title={t('Open {name}', { name: file.name })} size="lg">
      {read instanceof Error ? (
        <Stack>
          <Alert color="red" role="alert" title={t('Not a workflow')}>
            {read.message}
          </Alert>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              {t('Close')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Form read={read} onClose={onClose} onImported={onImported} />
      )}
    </FormModal>
  );
}

function Form({ read, onClose, onImported }: { read: ReadWorkflow } & Omit<Props, 'file'>): ReactNode {
  const client = useQueryClient();
  const rights = useRights();
  const [id, setId] = useState(read.id);
  const [name, setName] = useState(read.name);
  const valid = WORKFLOW_ID_PATTERN.test(id);
  const there = useQuery({ ...workflowQuery(id), enabled: valid, retry: false });
  const missing = there.error instanceof ApiError && there.error.status === 404;
  const refused = missing ? whyNoCreate(rights) : null;

  const submit = async () => {
    if (missing)
      await createWorkflow({
        id,
        name: name.trim(),
        description: read.description,
        ...inProject(ownProject(rights, 'workflows.write')),
      });
    createDrafts(window.localStorage).save(id, {
      text: read.text,
      parent: missing ? null : (there.data?.head ?? null),
      at: Date.now(),
    });
    if (missing) await client.invalidateQueries({ queryKey: workflowKeys.all });
    toastSuccess(t('{id} opened as draft', { id }), t('Save it as a version in the builder.'));
    onImported(id);
  };

  return (
    <SubmitForm
      submitLabel={missing ? t('Create workflow') : t('Open as draft')}
      disabled={refused ?? (!valid || (missing ? name.trim() === '' : !there.data))}
      onCancel={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('ID')}
        description={t('ID of an existing or new workflow')}
        {...bindText(id, setId)}
        error={valid ? null : idFault(id)}
        spellCheck={false}
        autoComplete="off"
        data-autofocus
      />
      {missing && <TextInput label={t('Name')} {...bindText(name, setName)} maxLength={200} required />}
      <p className="dim" role="status">
        {missing
          ? t('Creates a new workflow with the file as its draft.')
          : there.data
            ? t(
                '“{name}” already exists. The file opens as a draft on its latest version and replaces any unsaved draft in this window.',
                { name: there.data.name },
              )
            : ''}
      </p>
      <ErrorLine error={missing ? null : there.error} />
      {refused !== null && <p className="dim">{refused}</p>}
    </SubmitForm>
  );
}
