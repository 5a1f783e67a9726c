import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Alert } from '../../../../contract/alerts.ts';
import { t } from '../../../../lib/language.ts';
import { acknowledgeAlert, alertKeys, withdrawAcknowledgement } from '../../../api/alerts.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { useFocusBack } from '../../../ui/focus-back.ts';
import { sayDone, sayFailed } from '../../../ui/toasts.tsx';

/** Somebody looks after an alert: others see who, and its messages are not repeated. */
export function AcknowledgeDialog({ alert, onClose }: { alert: Alert; onClose(): void }): ReactNode {
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useFocusBack(true);
  const changed = () => client.invalidateQueries({ queryKey: alertKeys.all });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await acknowledgeAlert(alert.id, note.trim());
      await changed();
      const undo = () =>
        void withdrawAcknowledgement(alert.id).then(changed, (failure: unknown) =>
          sayFailed(t('It could not be undone'), failure),
        );
      sayDone(t('Acknowledged'), t('Its messages are not repeated until it ends or gets worse.'), {
        label: t('Undo'),
        run: undo,
      });
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong>{t('Acknowledge {value}', { value: alert.annotations['summary'] ?? alert.ruleName })}</strong>}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="sm">
          <Text size="sm">
            {t(
              'Others see that you look after it. Its messages are not repeated until it ends, or is twice as far beyond its threshold as now.',
            )}
          </Text>
          <TextInput
            label={t('Note (optional)')}
            placeholder={t('What you do about it')}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={2000}
            data-autofocus
          />
          <ErrorLine error={error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('Acknowledge')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
