import { Button, Checkbox, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ApiKeyCreated } from '../../../../contract/access.ts';
import { ENVIRONMENTS, type Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { createKey } from '../../../api/access.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { EXPIRIES, type Expiry, expiryOf } from './reach.ts';

/** The form for a key that reaches this workflow. */
export function KeyForm({
  workflowId,
  onClose,
  onMade,
}: {
  workflowId: string;
  onClose: () => void;
  onMade: (key: ApiKeyCreated) => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'one' | 'all'>('one');
  const [environments, setEnvironments] = useState<Environment[]>(['dev']);
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === '' || environments.length === 0 || busy) return;
    setBusy(true);
    setError(null);
    try {
      onMade(
        await createKey({
          name: name.trim(),
          workflows: scope === 'all' ? ['*'] : [workflowId],
          environments,
          expiresAt: expiryOf(expiry, Date.now()),
        }),
      );
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };

  return (
    <Modal opened onClose={onClose} title={<strong>{t('New API key')}</strong>}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={t('Name')}
            description={t('Who or what calls with it')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={200}
            required
            data-autofocus
            error={tried && name.trim() === '' ? t('Give it a name.') : null}
          />
          <Radio.Group label={t('Reaches')} value={scope} onChange={(value) => setScope(value as 'one' | 'all')}>
            <Stack gap="xs" mt={6}>
              <Radio value="one" label={t('Only {workflowId}', { workflowId })} />
              <Radio value="all" label={t('Every workflow, also those to come')} />
            </Stack>
          </Radio.Group>
          <Checkbox.Group
            label={t('Environments')}
            value={environments}
            onChange={(value) => setEnvironments(value as Environment[])}
            error={tried && environments.length === 0 ? t('Choose at least one.') : null}
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
            value={expiry}
            onChange={(value) => value !== null && setExpiry(value as Expiry)}
            allowDeselect={false}
          />
          {error !== null && <ErrorLine error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('Make the key')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
