import { SegmentedControl, Select, SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { t } from '../../../../lib/language.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import type { Faults, Values } from './values.ts';

/** When it is due: a cron expression, an interval or a date; in which time zone; from when to when. */
export function TimingFields({
  values,
  faults,
  onChange,
}: {
  values: Values;
  faults: Faults;
  onChange(change: Partial<Values>): void;
}): ReactNode {
  const zones = useMemo(
    () => [...new Set(['UTC', values.timeZone, ...Intl.supportedValuesOf('timeZone')])],
    [values.timeZone],
  );
  const field = (name: 'cron' | 'every' | 'at' | 'startAt' | 'endAt') => ({
    ...bindText(values[name], (text) => onChange({ [name]: text })),
    error: faults[name],
  });
  return (
    <>
      <SegmentedControl
        aria-label={t('When')}
        value={values.kind}
        onChange={(kind) => onChange({ kind })}
        data={[
          { value: 'cron', label: t('Cron expression') },
          { value: 'every', label: t('Interval') },
          { value: 'once', label: t('Once') },
        ]}
      />
      <SimpleGrid cols={2}>
        {values.kind === 'cron' && (
          <TextInput
            label={t('Cron expression')}
            description={t('Minute, hour, day, month, weekday; with six fields, seconds first')}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            data-autofocus
            {...field('cron')}
          />
        )}
        {values.kind === 'every' && (
          <TextInput
            label={t('Interval (seconds)')}
            description={t('Counted from the start')}
            inputMode="numeric"
            {...field('every')}
          />
        )}
        {values.kind === 'once' && (
          <TextInput
            type="datetime-local"
            step={1}
            label={t('Date and time (your time)')}
            description={t('Started once')}
            {...field('at')}
          />
        )}
        {values.kind === 'cron' && (
          <Select
            label={t('Time zone')}
            description={t('Of the cron expression')}
            data={zones}
            searchable
            limit={200}
            {...bindChoice(values.timeZone, (timeZone) => onChange({ timeZone }))}
            error={faults.timeZone}
          />
        )}
        {values.kind !== 'once' && (
          <>
            <TextInput type="datetime-local" step={1} label={t('Not before (your time)')} {...field('startAt')} />
            <TextInput type="datetime-local" step={1} label={t('Until (your time)')} {...field('endAt')} />
          </>
        )}
      </SimpleGrid>
    </>
  );
}
