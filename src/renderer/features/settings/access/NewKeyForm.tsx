import { Button, Checkbox, Group, MultiSelect, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ENVIRONMENTS, type Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { createKey } from '../../../api/access.ts';
import { workflowsQuery } from '../../../api/workflows.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { expiryOf, LIFETIMES } from './expiry.ts';

export function NewKeyForm({ onDone, onCancel }: { onDone(secret: string): void; onCancel(): void }) {
  const [name, setName] = useState('');
  const [all, setAll] = useState(true);
  const [workflows, setWorkflows] = useState<string[]>([]);
  const [environments, setEnvironments] = useState<Environment[]>(['dev']);
  const [days, setDays] = useState('');
  const { data } = useQuery(workflowsQuery({ size: 500, sort: 'id,asc' }));
  const { mutate, isPending, error } = useMutation({ mutationFn: createKey, onSuccess: ({ key }) => onDone(key) });
  const good = name.trim() !== '' && environments.length > 0 && (all || workflows.length > 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (good)
      mutate({
        name: name.trim(),
        workflows: all ? ['*'] : workflows,
        environments,
        expiresAt: expiryOf(days, Date.now()),
      });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t('Name')}
          description={t('Who or what uses it')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={200}
          data-autofocus
          required
        />
        <Switch
          label={t('All workflows, also later ones')}
          checked={all}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
        {!all && (
          <MultiSelect
            label={t('Workflows')}
            data={data?.items.map((workflow) => workflow.id) ?? []}
            value={workflows}
            onChange={setWorkflows}
            searchable
            placeholder={workflows.length === 0 ? t('Choose') : ''}
            nothingFoundMessage={t('No workflow of that id')}
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
        <ErrorLine error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!good}>
            {t('Create the key')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
