import { Text, Group, SegmentedControl, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Schedule } from '../../../../contract/schedules.ts';
import { ENVIRONMENTS, OVERLAPS } from '../../../../contract/vocabulary.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { t } from '../../../../lib/language.ts';
import { createSchedule, scheduleKeys, updateSchedule } from '../../../api/schedules.ts';
import { workflowsQuery } from '../../../api/workflows.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { OVERLAP_WORDS } from '../labels.ts';
import { DuePreview } from './DuePreview.tsx';
import { TimingFields } from './TimingFields.tsx';
import { type Faults, faultsFrom, settingsOf, type Values, valuesOf } from './values.ts';

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The form for a new schedule, or for changes of one; it shows the next due times while one types. */
export function ScheduleForm({
  schedule = null,
  workflowId = '',
  onClose,
  onSaved,
}: {
  schedule?: Schedule | null;
  /** Fixed where given. */
  workflowId?: string | undefined;
  onClose(): void;
  onSaved(saved: Schedule): void;
}): ReactNode {
  const client = useQueryClient();
  const [values, setValues] = useState(() => valuesOf(schedule, workflowId, ownZone()));
  const [faults, setFaults] = useState<Faults>({});
  const set = (change: Partial<Values>) => setValues((now) => ({ ...now, ...change }));
  const field = (name: 'catchUp' | 'jitter' | 'priority' | 'labels' | 'description' | 'inputs' | 'expression') => ({
    ...bindText(values[name], (text) => set({ [name]: text })),
    error: faults[name],
  });

  function submit() {
    const made = settingsOf(values);
    setFaults('faults' in made ? made.faults : {});
    if ('faults' in made) return null;
    const { settings } = made;
    const sent =
      schedule === null
        ? createSchedule({ workflowId: values.workflowId, environment: values.environment, ...settings })
        : updateSchedule(schedule.id, settings);
    return sent.then(
      async (saved) => {
        await client.invalidateQueries({ queryKey: scheduleKeys.all });
        toastSuccess(schedule === null ? t('Schedule created') : t('Schedule saved'));
        onSaved(saved);
      },
      (error: unknown) => {
        if (error instanceof ApiError) setFaults(faultsFrom(error.errors));
        throw error;
      },
    );
  }

  return (
    <FormDialog
      title={schedule === null ? t('New schedule') : t('Edit schedule')}
      submitLabel={schedule === null ? t('Create schedule') : t('Save')}
      size="xl"
      onClose={onClose}
      onSubmit={submit}
    >
      {schedule === null && (
        <SimpleGrid cols={2}>
          {workflowId === '' ? (
            <WorkflowField
              value={values.workflowId}
              error={faults.workflowId}
              onChange={(next) => set({ workflowId: next })}
            />
          ) : (
            <TextInput label={t('Workflow')} value={workflowId} readOnly />
          )}
          <Select
            label={t('Environment')}
            data={[...ENVIRONMENTS]}
            {...bindChoice(values.environment, (environment) => set({ environment }))}
          />
        </SimpleGrid>
      )}
      <TimingFields values={values} faults={faults} onChange={set} />
      <DuePreview values={values} />
      <Stack gap={6}>
        <Group justify="space-between">
          <Text size="xs" fw={600}>
            {t('Inputs')}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={t('Inputs')}
            value={values.source}
            onChange={(source) => set({ source })}
            data={[
              { value: 'inputs', label: t('Fixed##inputs') },
              { value: 'expression', label: t('Expression over the due time') },
            ]}
          />
        </Group>
        {values.source === 'inputs' ? (
          <Textarea
            aria-label={t('Inputs, a JSON array')}
            autosize
            minRows={2}
            maxRows={8}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            {...field('inputs')}
          />
        ) : (
          <Textarea
            aria-label={t('Expression')}
            placeholder={'{"day": $substring(dueAt, 0, 10)}'}
            description={t('JSONata over dueAt, scheduleId, workflowId, environment and timeZone')}
            autosize
            minRows={2}
            maxRows={8}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            {...field('expression')}
          />
        )}
      </Stack>
      <SimpleGrid cols={2}>
        <Select
          label={t('If the previous job is still running')}
          data={OVERLAPS.map((value) => ({ value, label: OVERLAP_WORDS[value] }))}
          {...bindChoice(values.overlap, (overlap) => set({ overlap }))}
        />
        <TextInput label={t('Catch-up window (seconds)')} inputMode="numeric" {...field('catchUp')} />
        <TextInput label={t('Jitter (seconds)')} inputMode="numeric" {...field('jitter')} />
        <TextInput label={t('Priority')} inputMode="numeric" {...field('priority')} />
        <TextInput label={t('Labels')} placeholder="team=billing" {...field('labels')} />
        <TextInput label={t('Description')} {...field('description')} />
      </SimpleGrid>
    </FormDialog>
  );
}

function WorkflowField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange(id: string): void;
}): ReactNode {
  const [find, setFind] = useState('');
  const { data } = useQuery(
    workflowsQuery({
      size: 50,
      sort: 'id,asc',
      q: find === value ? undefined : find,
      archived: undefined,
      project: undefined,
    }),
  );
  const ids = useMemo(() => {
    const found = data?.items.map(({ id }) => id) ?? [];
    return value === '' || found.includes(value) ? found : [value, ...found];
  }, [data, value]);
  return (
    <Select
      label={t('Workflow')}
      required
      data={ids}
      {...bindChoice(value === '' ? null : value, onChange)}
      searchable
      searchValue={find}
      onSearchChange={setFind}
      nothingFoundMessage={t('Workflow not found')}
      error={error}
      data-autofocus
    />
  );
}
