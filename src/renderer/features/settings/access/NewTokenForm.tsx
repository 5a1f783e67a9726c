import { Select, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { ROLES, type Environment, type Role } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { createToken } from '../../../api/access.ts';
import { bindChoice } from '../../../ui/bind.ts';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { CredentialName, EnvironmentChoice, Lifetime } from './credential-fields.tsx';
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
  const pairs = labels.map(parseLabel);
  const areLabelsGood = role !== 'worker' || !pairs.includes(null);
  return (
    <SubmitForm
      submitLabel={t('Create token')}
      disabled={name.trim() === '' || !areLabelsGood}
      onCancel={onCancel}
      onSubmit={async () => {
        const { token } = await createToken({
          name: name.trim(),
          role,
          expiresAt: expiryDate(days, Date.now()),
          ...(role === 'worker' && {
            environments: environments.length === 0 ? null : environments,
            labels: Object.fromEntries(pairs.filter((pair) => pair !== null)),
          }),
        });
        onDone(token);
      }}
    >
      <CredentialName value={name} onChange={setName} />
      <Select label={t('Role')} description={MEANING[role]} data={[...ROLES]} {...bindChoice(role, setRole)} />
      {role === 'worker' && (
        <>
          <EnvironmentChoice
            description={t('Its workers get only tasks of these, and no drafts. None selected: all tasks.')}
            value={environments}
            onChange={setEnvironments}
          />
          <TagsInput
            label={t('Labels')}
            description={t('Set on its workers, which cannot change them. For example zone=b')}
            value={labels}
            onChange={setLabels}
            // It offers nothing: Escape closes the dialog, not a list that nobody sees.
            dropdownOpened={false}
            error={areLabelsGood ? undefined : t('Enter each label as key=value')}
          />
        </>
      )}
      <Lifetime value={days} onChange={setDays} />
    </SubmitForm>
  );
}

/** `key=value`; null where it is not. */
function parseLabel(text: string): readonly [string, string] | null {
  const [, key, value] = /^([A-Za-z0-9][A-Za-z0-9._/-]{0,63})=(.{0,256})$/.exec(text) ?? [];
  return key === undefined || value === undefined ? null : [key, value];
}
