import { Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { sendSignal } from '../../../api/waits.ts';
import { bindText } from '../../../ui/bind.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { scanJson } from '../../../ui/json-text/scan.ts';
import { toastSuccess } from '../../../ui/toasts.tsx';

/** Sends a signal with what is typed as its payload: any JSON value, or none. */
export function SignalDialog({
  jobId,
  replica,
  name,
  onClose,
}: {
  jobId: string;
  replica: number;
  name: string;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [payload, setPayload] = useState('');
  const [asked, setAsked] = useState(false);
  const isEmpty = payload.trim() === '';
  const fault = isEmpty ? undefined : faultOf(payload);
  const submit = () => {
    setAsked(true);
    if (fault !== undefined) return null;
    return sendSignal(jobId, name, replica, isEmpty ? 'null' : payload).then(() => {
      toastSuccess(t('Signal sent'), '');
      onClose();
      return client.invalidateQueries();
    });
  };
  return (
    <FormDialog title={t('Send signal {name}', { name })} submitLabel={t('Send')} onClose={onClose} onSubmit={submit}>
      <Text size="sm">{t('The task goes on with the payload as signal.payload of its output.')}</Text>
      <Textarea
        label={t('Payload')}
        description={t('Any JSON value; empty: null')}
        placeholder={'{"paid": true}'}
        {...bindText(payload, setPayload)}
        error={asked ? fault : undefined}
        autosize
        minRows={3}
        maxRows={16}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        data-autofocus
      />
    </FormDialog>
  );
}

/** What is wrong with a text that should be JSON, and in which line. */
function faultOf(text: string): string | undefined {
  const [first] = scanJson(text).errors;
  if (!first) return undefined;
  const line = text.slice(0, first.from).split('\n').length;
  return text.includes('\n') ? t('Line {line}: {message}', { line, message: first.message }) : first.message;
}
