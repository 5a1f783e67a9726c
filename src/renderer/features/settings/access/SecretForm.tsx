import { Checkbox, Group, MultiSelect, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DEFAULT_PROJECT } from '../../../../contract/actions.ts';
import type { Secret } from '../../../../contract/secrets.ts';
import { ENVIRONMENTS, SECRET_NAME } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { changeSecret, putSecret } from '../../../api/secrets.ts';
import { workflowsQuery } from '../../../api/workflows.ts';
import { ownProject } from '../../../stores/permissions.ts';
import { useProjects } from '../../../stores/projects.ts';
import { useRights } from '../../../stores/role.ts';
import { bindChecked, bindText } from '../../../ui/bind.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { ProjectField } from '../ProjectField.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';

/** A secret, new or known. The value of a known one is never shown: left empty it stays. */
export function SecretForm({
  secret,
  onClose,
  onDone,
}: {
  secret: Secret | null;
  onClose(): void;
  onDone(): Promise<void>;
}): ReactNode {
  const [name, setName] = useState(secret?.name ?? '');
  const [value, setValue] = useState('');
  const [description, setDescription] = useState(secret?.description ?? '');
  const [all, setAll] = useState(secret?.scope.workflows === undefined);
  const [workflows, setWorkflows] = useState<string[]>(secret?.scope.workflows ?? []);
  const [environments, setEnvironments] = useState<readonly string[]>(secret?.scope.environments ?? ENVIRONMENTS);
  const [drafts, setDrafts] = useState(secret?.scope.drafts ?? false);
  const rights = useRights();
  const [project, setProject] = useState(() => secret?.project ?? ownProject(rights, 'secrets.manage'));
  const severalProjects = useProjects().length > 0;
  const { data } = useQuery(
    workflowsQuery({ size: 500, sort: 'id,asc', project: severalProjects ? project : undefined }),
  );
  const named = new RegExp(SECRET_NAME).test(name);
  const scope = {
    workflows: all ? null : workflows,
    environments:
      environments.length === ENVIRONMENTS.length
        ? null
        : ENVIRONMENTS.filter((environment) => environments.includes(environment)),
    drafts,
  };
  const submit = async () => {
    // Said only where it is another one: it takes a right in both.
    const moved = project === (secret?.project ?? DEFAULT_PROJECT) ? {} : { project };
    const about = description.trim() === '' ? null : description.trim();
    if (value === '') await changeSecret(name, { description: about, scope, ...moved });
    else
      await putSecret(name, {
        value,
        description: about,
        scope: {
          ...(scope.workflows ? { workflows: scope.workflows } : {}),
          ...(scope.environments ? { environments: scope.environments } : {}),
          drafts,
        },
        ...moved,
      });
    await onDone();
    toastSuccess(
      secret === null ? t('Created {name}', { name }) : t('{name} updated', { name }),
      value === '' ? '' : t('Tasks that start from now on use the new value.'),
    );
    onClose();
  };
  return (
    <FormDialog
      title={secret === null ? t('New secret') : t('Edit {name}', { name: secret.name })}
      disabled={
        !named || (secret === null && value === '') || environments.length === 0 || (!all && workflows.length === 0)
      }
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('Name')}
        required
        description={t('Uppercase letters, digits and underscores; must start with a letter')}
        {...bindText(name, (text) => setName(text.toUpperCase()))}
        disabled={secret !== null}
        error={
          name !== '' && !named ? t('Use only uppercase letters, digits and underscores; start with a letter.') : null
        }
        maxLength={63}
        spellCheck={false}
        {...(secret === null ? { 'data-autofocus': true } : {})}
      />
      <PasswordInput
        label={t('Value')}
        required={secret === null}
        description={secret === null ? t('Never shown again after saving') : t('Leave empty to keep the current value')}
        {...bindText(value, setValue)}
        autoComplete="new-password"
        {...(secret === null ? {} : { 'data-autofocus': true })}
      />
      <TextInput label={t('Description')} {...bindText(description, setDescription)} maxLength={2000} />
      <ProjectField
        action="secrets.manage"
        description={t('Only jobs of this project get the value')}
        value={project}
        onChange={(next) => (setProject(next), setWorkflows([]))}
      />
      <Switch label={t('All workflows, including future ones')} {...bindChecked(all, setAll)} />
      {!all && (
        <MultiSelect
          label={t('Workflows')}
          data={[...new Set([...(data?.items.map((workflow) => workflow.id) ?? []), ...workflows])]}
          value={workflows}
          onChange={setWorkflows}
          searchable
          placeholder={workflows.length === 0 ? t('Select') : ''}
          nothingFoundMessage={t('Workflow not found')}
        />
      )}
      <Checkbox.Group label={t('Environments')} value={[...environments]} onChange={setEnvironments}>
        <Group gap="md" mt={4}>
          {ENVIRONMENTS.map((environment) => (
            <Checkbox key={environment} value={environment} label={environment} />
          ))}
        </Group>
      </Checkbox.Group>
      <Switch
        label={t('Drafts and unpublished versions')}
        description={t('Anyone who may run drafts can then read the value.')}
        {...bindChecked(drafts, setDrafts)}
      />
    </FormDialog>
  );
}
