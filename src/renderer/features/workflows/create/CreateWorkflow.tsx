import { Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { isOneOf } from '../../../../lib/is-one-of.ts';
import { TEMPLATE_ENTRIES, TEMPLATE_IDS, type TemplateId } from '../../../../lib/workflow-templates/catalogue.ts';
import { workflowKeys } from '../../../api/workflows.ts';
import { inProject, ownProject } from '../../../stores/permissions.ts';
import { useRights } from '../../../stores/role.ts';
import { FormModal } from '../../../ui/FormModal.tsx';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { ProjectField } from '../../settings/ProjectField.tsx';
import { idFault, idFromName } from '../../../ui/ids.ts';
import { bindText } from '../../../ui/bind.ts';
import { createFrom } from './create-from.ts';
import { Gallery } from './Gallery.tsx';
import type { StartId } from './starts.ts';
import css from './Gallery.module.css';

interface Props {
  /** Why none can be made here, said at once, as the menu of the desktop app and links lead here too. */
  readonly refusal: string | null;
  /** The template that is chosen at first. */
  readonly template?: TemplateId | undefined;
  onClose(): void;
  onCreated(id: string): void;
}

/** The form for a new workflow. What it starts with becomes a draft in the editor: nothing is saved before its author says so. */
export function CreateWorkflow({ opened, ...form }: Props & { opened: boolean }): ReactNode {
  return (
    <FormModal opened={opened} onClose={form.onClose} title={t('New workflow')} size="min(1080px, 94vw)">
      {opened && <Form {...form} />}
    </FormModal>
  );
}

function Form({ refusal, template, onClose, onCreated }: Props): ReactNode {
  const client = useQueryClient();
  const [start, setStart] = useState<StartId>(template ?? 'example');
  // Null: nothing was typed, and the template gives it.
  const [typedName, setName] = useState<string | null>(null);
  const [typedId, setTypedId] = useState<string | null>(null);
  const [typedDescription, setDescription] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const [taken, setTaken] = useState<string | null>(null);
  const entry = isOneOf(TEMPLATE_IDS, start) ? TEMPLATE_ENTRIES[start] : null;
  const name = typedName ?? entry?.name ?? '';
  const description = typedDescription ?? entry?.description ?? '';
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
      await createFrom(start, {
        id,
        name: name.trim(),
        description: description.trim() === '' ? null : description.trim(),
        ...inProject(project),
      });
      await client.invalidateQueries({ queryKey: workflowKeys.all });
      toastSuccess(t('Created {id}', { id }), t('Save the first version in the builder.'));
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
    <SubmitForm submitLabel={t('Create')} disabled={refusal ?? false} onCancel={onClose} onSubmit={submit}>
      <div className={css['columns']}>
        <Gallery value={start} onChange={setStart} />
        <div className={css['fields']}>
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
          {entry && (
            <p className={css['note']}>
              {t('Opens as a draft with an example input. Its test cases are in the tab Tests.')}
            </p>
          )}
          {refusal !== null && <p className={css['note']}>{refusal}</p>}
        </div>
      </div>
    </SubmitForm>
  );
}
