import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ROLES, type Role } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { createToken } from '../../../api/access.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { expiryOf, LIFETIMES } from './expiry.ts';

const MEANING: Readonly<Record<Role, string>> = {
  viewer: t('Sees everything, changes nothing'),
  operator: t('Also works with jobs, workers and workflows, publishes to dev and staging'),
  admin: t('Everything, also prod, keys and tokens'),
  worker: t('For worker processes alone'),
};

export function NewTokenForm({ onDone, onCancel }: { onDone(secret: string): void; onCancel(): void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [days, setDays] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: createToken,
    onSuccess: ({ token }) => onDone(token),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') mutate({ name: name.trim(), role, expiresAt: expiryOf(days, Date.now()) });
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
        <Select
          label={t('Role')}
          description={MEANING[role]}
          data={[...ROLES]}
          value={role}
          onChange={(value) => value && setRole(value as Role)}
        />
        <Select label={t('Expires')} data={LIFETIMES} value={days} onChange={(value) => setDays(value ?? '')} />
        <ErrorLine error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
            {t('Create the token')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
