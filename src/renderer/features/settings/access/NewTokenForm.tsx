import { Select } from '@mantine/core';
import { useState } from 'react';
import { ROLES, type Environment, type Role } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { createToken } from '../../../api/access.ts';
import { bindChoice } from '../../../ui/bind.ts';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { CredentialName, Lifetime } from './credential-fields.tsx';
import { WorkerTokenFields, workerTokenBody } from './WorkerTokenFields.tsx';
import { expiryDate } from './expiry.ts';

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
  const [environments, setEnvironments] = useState<Environment[]>([]);
  const [labels, setLabels] = useState<string[]>([]);
  const ofWorkers = workerTokenBody(environments, labels);
  return (
    <SubmitForm
      submitLabel={t('Create token')}
      disabled={name.trim() === '' || (role === 'worker' && ofWorkers === null)}
      onCancel={onCancel}
      onSubmit={async () => {
        const { token } = await createToken({
          name: name.trim(),
          role,
          expiresAt: expiryDate(days, Date.now()),
          ...(role === 'worker' ? ofWorkers : {}),
        });
        onDone(token);
      }}
    >
      <CredentialName value={name} onChange={setName} />
      <Select label={t('Role')} description={MEANING[role]} data={[...ROLES]} {...bindChoice(role, setRole)} />
      {role === 'worker' && (
        <WorkerTokenFields
          environments={environments}
          onEnvironments={setEnvironments}
          labels={labels}
          onLabels={setLabels}
        />
      )}
      <Lifetime value={days} onChange={setDays} />
    </SubmitForm>
  );
}
