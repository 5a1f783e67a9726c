import { Checkbox, Group, Radio, Select, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ApiKeyCreated } from '../../../../contract/access.ts';
import { ENVIRONMENTS, type Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { createKey } from '../../../api/access.ts';
import { inProject } from '../../../stores/permissions.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { EXPIRIES, type Expiry, expiryInstant } from './key-status.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';

/** The form for a key that reaches this workflow. */
export function KeyForm({
  workflowId,
  project,
  onClose,
  onMade,
}: {
  workflowId: string;
  /** Of the workflow: a key calls only workflows of its own. */
  project: string | undefined;
  onClose: () => void;
  onMade: (key: ApiKeyCreated) => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'one' | 'all'>('one');
  const [environments, setEnvironments] = useState<Environment[]>(['dev']);
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [tried, setTried] = useState(false);

  const submit = () => {
    setTried(true);
    if (name.trim() === '' || environments.length === 0) return null;
    return createKey({
      name: name.trim(),
      workflows: scope === 'all' ? ['*'] : [workflowId],
      environments,
      expiresAt: expiryInstant(expiry, Date.now()),
      ...inProject(project),
    }).then(onMade);
  };

  return (
    <FormDialog title={t('New API key')} submitLabel={t('Create key')} onClose={onClose} onSubmit={submit}>
      <TextInput
        label={t('Name')}
        description={t('Who or what uses this key')}
        {...bindText(name, setName)}
        maxLength={200}
        required
        data-autofocus
        error={tried && name.trim() === '' ? t('Name is required.') : null}
      />
      <Radio.Group label={t('Scope')} value={scope} onChange={setScope}>
        <Stack gap="xs" mt={6}>
          <Radio value="one" label={t('Only {workflowId}', { workflowId })} />
          <Radio value="all" label={t('All workflows, including future ones')} />
        </Stack>
      </Radio.Group>
      <Checkbox.Group
        label={t('Environments')}
        value={environments}
        onChange={(value) => setEnvironments(value)}
        error={tried && environments.length === 0 ? t('Select at least one.') : null}
      >
        <Group mt={6}>
          {ENVIRONMENTS.map((environment) => (
            <Checkbox key={environment} value={environment} label={environment} />
          ))}
        </Group>
      </Checkbox.Group>
      <Select
        label={t('Expires')}
        data={EXPIRIES.map(({ value, label }) => ({ value, label }))}
        {...bindChoice(expiry, setExpiry)}
      />
    </FormDialog>
  );
}
