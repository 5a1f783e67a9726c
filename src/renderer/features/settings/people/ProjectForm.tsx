import { TagsInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '../../../../contract/projects.ts';
import { t } from '../../../../lib/language.ts';
import { createProject, projectKeys, updateProject } from '../../../api/projects.ts';
import { useWhyNotAdministrator } from '../../../stores/role.ts';
import { bindText } from '../../../ui/bind.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { idFault, idFromName } from '../../../ui/ids.ts';

/** A new project, or the name and masks of one. */
export function ProjectForm({ project, onClose }: { project: Project | null; onClose(): void }) {
  const client = useQueryClient();
  const [name, setName] = useState(project?.name ?? '');
  const [typedId, setTypedId] = useState<string | null>(null);
  const [masks, setMasks] = useState<string[]>(project?.masks ?? []);
  const whyNoMasks = useWhyNotAdministrator();
  const [tried, setTried] = useState(false);
  const id = project?.id ?? typedId ?? idFromName(name);
  const areMasksSame = masks.join('\n') === (project?.masks ?? []).join('\n');
  const save = async () => {
    const made = project ?? (await createProject({ id, name: name.trim() }));
    if (project || !areMasksSame)
      await updateProject(made.id, { name: name.trim(), ...(areMasksSame ? {} : { masks }) });
    await client.invalidateQueries({ queryKey: projectKeys.projects });
    onClose();
  };
  return (
    <FormDialog
      title={project ? t('Project {id}', { id: project.id }) : t('New project')}
      submitLabel={project ? t('Save') : t('Create project')}
      onClose={onClose}
      onSubmit={() => {
        setTried(true);
        return name.trim() === '' || (!project && idFault(id) !== null) ? null : save();
      }}
    >
      <TextInput
        label={t('Name')}
        {...bindText(name, setName)}
        maxLength={200}
        data-autofocus
        required
        error={tried && name.trim() === '' ? t('Name is required.') : null}
      />
      {!project && (
        <TextInput
          label={t('ID')}
          description={t("Lowercase letters, digits and hyphens, max. 63. Can't be changed later.")}
          {...bindText(id, setTypedId)}
          required
          error={tried || typedId !== null ? idFault(id) : null}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      <TagsInput
        label={t('Masked fields')}
        description={t(
          'Hidden in inputs and outputs, such as $.customer.iban or items[*].sku. Press Enter after each.',
        )}
        value={masks}
        onChange={setMasks}
        disabled={whyNoMasks !== undefined}
        title={whyNoMasks}
        maxTags={100}
        // It offers nothing: Escape closes the dialog, not a list that nobody sees.
        dropdownOpened={false}
      />
    </FormDialog>
  );
}
