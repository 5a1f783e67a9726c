import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ROLES, type Role } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { createToken } from '../../../api/access.ts';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { expiryDate, LIFETIMES } from './expiry.ts';

const MEANING: Readonly<Record<Role, string>> = {
  viewer: t('Read-only access'),
  operator: t('Also manages jobs, workers and workflows, and publishes to dev and staging'),
  admin: t('Full access, including prod, keys and tokens'),
  worker: t('Only for worker processes'),
};

export function NewTokenForm({ onDone, onCancel }: { onDone(secret: string): void; onCancel(): void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [days, setDays] = useState('');
  return (
    <SubmitForm
      submitLabel={t('Create token')}
      disabled={name.trim() === ''}
      onCancel={onCancel}
      onSubmit={async () => {
        const { token } = await createToken({ name: name.trim(), role, expiresAt: expiryDate(days, Date.now()) });
        onDone(token);
      }}
    >
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
        onChange={(value) => value && setRole(value)}
      />
      <Select label={t('Expires')} data={LIFETIMES} value={days} onChange={(value) => setDays(value ?? '')} />
    </SubmitForm>
  );
}
