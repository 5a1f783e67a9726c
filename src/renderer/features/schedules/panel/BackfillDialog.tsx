import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Schedule } from '../../../../contract/schedules.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { t, tn } from '../../../../lib/language.ts';
import { backfillSchedule, scheduleKeys } from '../../../api/schedules.ts';
import { bindText } from '../../../ui/bind.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';

/** Starts the due times of a past range that have no job; counts them first. */
export function BackfillDialog({ schedule, onClose }: { schedule: Schedule; onClose(): void }): ReactNode {
  const client = useQueryClient();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [rate, setRate] = useState('600');
  const [counted, setCounted] = useState<number | null>(null);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setCounted(null);
    setFaults({});
  };

  function submit() {
    const [first, last] = [Date.parse(from), to === '' ? Date.now() : Date.parse(to)];
    const lacking = {
      ...(Number.isNaN(first) ? { from: t('Required.') } : {}),
      ...(Number.isNaN(last) ? { to: t('Required.') } : last <= first ? { to: t('Must be later than “From”.') } : {}),
      ...(/^[1-9]\d{0,4}$/.test(rate) ? {} : { perMinute: t('Enter a whole number.') }),
    };
    setFaults(lacking);
    if (Object.keys(lacking).length > 0) return null;
    const range = { from: new Date(first).toISOString(), to: new Date(last).toISOString() };
    const sent =
      counted === null
        ? backfillSchedule(schedule.id, { ...range, dryRun: true }).then(({ count }) => setCounted(count))
        : backfillSchedule(schedule.id, { ...range, perMinute: Number(rate) }).then(async ({ count }) => {
            await client.invalidateQueries({ queryKey: scheduleKeys.all });
            toastSuccess(
              tn('Starting {count} job', 'Starting {count} jobs', count),
              t('Its progress is under Jobs, Operations.'),
            );
            onClose();
          });
    return sent.catch((error: unknown) => {
      if (error instanceof ApiError)
        setFaults(Object.fromEntries(error.errors.map(({ pointer, message }) => [pointer.slice(1), message])));
      throw error;
    });
  }

  return (
    <FormDialog
      title={t('Backfill')}
      submitLabel={counted === null ? t('Count the jobs') : tn('Start {count} job', 'Start {count} jobs', counted)}
      disabled={counted === 0 && t('Each due time of this range has a job.')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('Starts the due times of a past range that have no job, whatever the overlap policy.')}</Text>
      <SimpleGrid cols={2}>
        <TextInput
          type="datetime-local"
          step={1}
          label={t('From (your time)')}
          {...bindText(from, change(setFrom))}
          error={faults['from']}
          data-autofocus
        />
        <TextInput
          type="datetime-local"
          step={1}
          label={t('To (your time)')}
          description={t('Empty: until now')}
          {...bindText(to, change(setTo))}
          error={faults['to']}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <TextInput
          label={t('Jobs per minute')}
          inputMode="numeric"
          {...bindText(rate, setRate)}
          error={faults['perMinute']}
        />
      </SimpleGrid>
      {counted !== null && (
        <Text size="sm" role="status">
          {counted === 0
            ? t('Every due time in this range has a job.')
            : tn('{count} due time has no job.', '{count} due times have no job.', counted)}
        </Text>
      )}
    </FormDialog>
  );
}
