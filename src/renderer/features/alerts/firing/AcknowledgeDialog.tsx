import { Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Alert } from '../../../../contract/alerts.ts';
import { t } from '../../../../lib/language.ts';
import { acknowledgeAlert, alertKeys, withdrawAcknowledgement } from '../../../api/alerts.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toastSuccess, toastFailure } from '../../../ui/toasts.tsx';
import { bindText } from '../../../ui/bind.ts';

/** Somebody looks after an alert: others see who, and its messages are not repeated. */
export function AcknowledgeDialog({ alert, onClose }: { alert: Alert; onClose(): void }): ReactNode {
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const changed = () => client.invalidateQueries({ queryKey: alertKeys.all });
  const submit = async () => {
    await acknowledgeAlert(alert.id, note.trim());
    await changed();
    const undo = () => void withdrawAcknowledgement(alert.id).then(changed, toastFailure(t('Could not undo')));
    toastSuccess(t('Acknowledged'), t('No repeat messages until it resolves or gets worse.'), {
      label: t('Undo'),
      run: undo,
    });
    onClose();
  };
  return (
    <FormDialog
      title={t('Acknowledge {value}', { value: alert.annotations['summary'] ?? alert.ruleName })}
      submitLabel={t('Acknowledge')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">
        {t(
          'Tells others that you are on it. No repeat messages until the alert resolves, or is twice as far beyond its threshold as now.',
        )}
      </Text>
      <TextInput
        label={t('Note (optional)')}
        placeholder={t('What you are doing about it')}
        {...bindText(note, setNote)}
        maxLength={2000}
        data-autofocus
      />
    </FormDialog>
  );
}
