import { MultiSelect, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { createKey } from '../../../api/access.ts';
import { workflowsQuery } from '../../../api/workflows.ts';
import { inProject, ownProject } from '../../../stores/permissions.ts';
import { useProjects } from '../../../stores/projects.ts';
import { useRights } from '../../../stores/role.ts';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { ProjectField } from '../ProjectField.tsx';
import { bindChecked } from '../../../ui/bind.ts';
import { CredentialName, EnvironmentChoice, Lifetime } from './credential-fields.tsx';
import { expiryDate } from './expiry.ts';

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
      <CredentialName value={name} onChange={setName} />
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
      <EnvironmentChoice value={environments} onChange={setEnvironments} />
      <Lifetime value={days} onChange={setDays} />
    </SubmitForm>
  );
}
