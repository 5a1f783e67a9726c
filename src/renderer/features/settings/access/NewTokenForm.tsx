import { Checkbox, Group, Select, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ENVIRONMENTS, ROLES, type Environment, type Role } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { createToken } from '../../../api/access.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';
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
      <TextInput
        label={t('Name')}
        description={t('Who or what uses it')}
        {...bindText(name, setName)}
        maxLength={200}
        data-autofocus
        required
      />
      <Select label={t('Role')} description={MEANING[role]} data={[...ROLES]} {...bindChoice(role, setRole)} />
      {role === 'worker' && (
        <>
          <Checkbox.Group
            label={t('Environments')}
            description={t('Its workers get only tasks of these, and no drafts. None selected: all tasks.')}
            value={environments}
            onChange={(value) => setEnvironments(ENVIRONMENTS.filter((environment) => value.includes(environment)))}
          >
            <Group gap="md" mt={4}>
              {ENVIRONMENTS.map((environment) => (
                <Checkbox key={environment} value={environment} label={environment} />
              ))}
            </Group>
          </Checkbox.Group>
          <TagsInput
            label={t('Labels')}
            description={t('Set on its workers, which cannot change them. For example zone=b')}
            value={labels}
            onChange={setLabels}
            error={areLabelsGood ? undefined : t('Enter each label as key=value')}
          />
        </>
      )}
      <Select label={t('Expires')} data={LIFETIMES} value={days} onChange={(value) => setDays(value ?? '')} />
    </SubmitForm>
  );
}

/** `key=value`; null where it is not. */
function parseLabel(text: string): readonly [string, string] | null {
  const [, key, value] = /^([A-Za-z0-9][A-Za-z0-9._/-]{0,63})=(.{0,256})$/.exec(text) ?? [];
  return key === undefined || value === undefined ? null : [key, value];
}
