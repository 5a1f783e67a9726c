import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { EMAIL_PATTERN, LOGIN_PATTERN, PERSON_ROLES, type PersonRole } from '../../../../contract/users.ts';
import { t } from '../../../../lib/language.ts';
import { createUser } from '../../../api/people.ts';
import { useWhyNotAdministrator } from '../../../stores/role.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import { SubmitForm } from '../../../ui/SubmitForm.tsx';
import { BUILT_IN_WORDS } from './role-words.ts';

/** `onDone` gets the one-time password; null: a service account has none. */
export function NewPersonForm({ onDone, onCancel }: { onDone(secret: string | null): void; onCancel(): void }) {
  const whyNoRole = useWhyNotAdministrator();
  const [login, setLogin] = useState('');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [kind, setKind] = useState<'person' | 'service'>('person');
  const [role, setRole] = useState<PersonRole | 'none'>(() => (whyNoRole === undefined ? 'viewer' : 'none'));
  const [tried, setTried] = useState(false);
  const faults = {
    login: new RegExp(LOGIN_PATTERN).test(login.trim())
      ? null
      : t('Use letters, digits and . _ @ + -, and a letter or digit first.'),
    email: email.trim() === '' || new RegExp(EMAIL_PATTERN).test(email.trim()) ? null : t('Enter an email address.'),
  };
  const create = async () => {
    const made = await createUser({
      login: login.trim(),
      kind,
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(email.trim() !== '' && { email: email.trim() }),
      ...(role !== 'none' && { role }),
    });
    onDone(made.password ?? null);
  };
  return (
    <SubmitForm
      submitLabel={t('Create account')}
      disabled={login.trim() === ''}
      onCancel={onCancel}
      onSubmit={() => {
        setTried(true);
        return faults.login === null && faults.email === null ? create() : null;
      }}
    >
      <Select
        label={t('Kind')}
        data={[
          { value: 'person', label: t('Person') },
          { value: 'service', label: t('Service account') },
        ]}
        {...bindChoice(kind, setKind)}
      />
      <TextInput
        label={t('Sign-in name')}
        description={t('Letters, digits and . _ @ + -')}
        {...bindText(login, setLogin)}
        error={tried && faults.login}
        maxLength={100}
        data-autofocus
        required
      />
      <TextInput label={t('Full name')} {...bindText(name, setName)} maxLength={200} />
      <TextInput label={t('Email')} {...bindText(email, setEmail)} error={tried && faults.email} maxLength={320} />
      <Select
        label={t('Role everywhere')}
        description={
          whyNoRole === undefined
            ? role === 'none'
              ? t('They may do nothing until somebody gives them a role.')
              : t('{summary}, in all projects and environments', { summary: BUILT_IN_WORDS[role] })
            : t('An administrator of all projects gives roles.')
        }
        data={[...PERSON_ROLES.map((value) => ({ value, label: value })), { value: 'none', label: t('None') }]}
        {...bindChoice(role, setRole)}
        disabled={whyNoRole !== undefined}
      />
    </SubmitForm>
  );
}
