import { Checkbox, Group, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ENVIRONMENTS, type Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { createKey } from '../../../api/access.ts';
import { workflowsQuery } from '../../../api/workflows.ts';
import { inProject, ownProject } from '../../../stores/permissions.ts';
import { useProjects } from '../../../stores/projects.ts';
import { useRights } from '../../../stores/role.ts';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { ProjectField } from '../ProjectField.tsx';
import { expiryDate, LIFETIMES } from './expiry.ts';
import { bindChecked, bindText } from '../../../ui/bind.ts';

export function NewKeyForm({ onDone, onCancel }: { onDone(secret: string): void; onCancel(): void }) {
  const [name, setName] = useState('');
  const [all, setAll] = useState(true);
  const [workflows, setWorkflows] = useState<string[]>([]);
  const [environments, setEnvironments] = useState<Environment[]>(['dev']);
  const [days, setDays] = useState('');
  const rights = useRights();
  const [project, setProject] = useState(() => ownProject(rights, 'keys.manage'));
  const severalProjects = useProjects().length > 0;
  const { data } = useQuery(
    workflowsQuery({ size: 500, sort: 'id,asc', project: severalProjects ? project : undefined }),
  );
  const good = name.trim() !== '' && environments.length > 0 && (all || workflows.length > 0);
  return (
    <SubmitForm
      submitLabel={t('Create key')}
      disabled={!good}
      onCancel={onCancel}
      onSubmit={async () => {
        const { key } = await createKey({
          name: name.trim(),
          workflows: all ? ['*'] : workflows,
          environments,
          expiresAt: expiryDate(days, Date.now()),
          ...inProject(project),
        });
        onDone(key);
      }}
    >
      <TextInput
        label={t('Name')}
        description={t('Who or what uses it')}
        {...bindText(name, setName)}
        maxLength={200}
        data-autofocus
        required
      />
      <ProjectField
        action="keys.manage"
        description={t('The key calls workflows of this project alone')}
        value={project}
        onChange={(next) => (setProject(next), setWorkflows([]))}
      />
      <Switch label={t('All workflows, including future ones')} {...bindChecked(all, setAll)} />
      {!all && (
        <MultiSelect
          label={t('Workflows')}
          data={data?.items.map((workflow) => workflow.id) ?? []}
          value={workflows}
          onChange={setWorkflows}
          searchable
          placeholder={workflows.length === 0 ? t('Select') : ''}
          nothingFoundMessage={t('Workflow not found')}
        />
      )}
      <Checkbox.Group
        label={t('Environments')}
        value={environments}
        onChange={(value) => setEnvironments(ENVIRONMENTS.filter((environment) => value.includes(environment)))}
      >
        <Group gap="md" mt={4}>
          {ENVIRONMENTS.map((environment) => (
            <Checkbox key={environment} value={environment} label={environment} />
          ))}
        </Group>
      </Checkbox.Group>
      <Select label={t('Expires')} data={LIFETIMES} value={days} onChange={(value) => setDays(value ?? '')} />
    </SubmitForm>
  );
}
