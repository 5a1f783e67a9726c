import { NumberInput, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { RateLimits } from '../../../contract/rate-limits.ts';
import { t } from '../../../lib/language.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';

/** How many event calls a second a key or workflow may take, and how many of its tasks may run at once. */
export function RateLimitsDialog({
  title,
  limits,
  onSave,
  onClose,
}: {
  title: string;
  limits: RateLimits;
  onSave(limits: RateLimits): Promise<void>;
  onClose(): void;
}): ReactNode {
  const [rate, setRate] = useState<number | string>(limits.eventsPerSecond ?? '');
  const [most, setMost] = useState<number | string>(limits.concurrency ?? '');
  const save = async () => {
    await onSave({
      eventsPerSecond: rate === '' ? null : Number(rate),
      concurrency: most === '' ? null : Number(most),
    });
    onClose();
  };
  return (
    <FormDialog title={title} onClose={onClose} onSubmit={save}>
      <NumberInput
        label={t('Event calls per second')}
        description={t("Calls above the limit are rejected with 429. Bursts of up to one second's worth are allowed.")}
        placeholder={t('No limit')}
        min={0.001}
        max={1_000_000}
        decimalScale={3}
        value={rate}
        onChange={setRate}
        data-autofocus
      />
      <NumberInput
        label={t('Concurrent tasks')}
        description={t('Tasks above the limit wait in the queue.')}
        placeholder={t('No limit')}
        min={1}
        max={1_000_000}
        allowDecimal={false}
        value={most}
        onChange={setMost}
      />
      <Text size="sm" c="dimmed">
        {t('Leave empty for no limit. Takes effect immediately.')}
      </Text>
    </FormDialog>
  );
}
