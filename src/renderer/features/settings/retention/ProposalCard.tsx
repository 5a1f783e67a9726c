import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { overviewKeys, patchSettings } from '../../../api/overview.ts';
import { formatBytes } from '../../../ui/Duration.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { settingName } from '../../../ui/setting-name.ts';
import { toastFailure, toastSuccess } from '../../../ui/toasts.tsx';
import { useSending } from '../../../ui/use-sending.ts';
import { settingText, unitText } from '../setting-labels.ts';
import { keepEverything, type Retention, type RetentionName } from './propose.ts';

const named = (retention: Retention) => Object.entries(retention) as [RetentionName, number][];

export function ProposalCard({ proposal, freeBytes }: { proposal: Retention; freeBytes: number }): ReactNode {
  const client = useQueryClient();
  const [isChanging, setChanging] = useState(false);
  const { busy, send } = useSending();
  const set = async (retention: Readonly<Record<string, number | null>>) => {
    const answer = await patchSettings(retention);
    if (!('requestedBy' in answer)) client.setQueryData(overviewKeys.settings, answer);
  };
  const decide = async (retention: Retention, words: string) => {
    await set(retention);
    const back = Object.fromEntries(Object.keys(retention).map((name) => [name, null]));
    toastSuccess(words, t('Change it at any time in the settings, under Limits.'), {
      label: t('Undo'),
      run: () => void set(back).catch(toastFailure(t('Could not change the setting'))),
    });
  };
  const decideNow = (retention: Retention, words: string) =>
    send(() => decide(retention, words).catch(toastFailure(t('Could not change the setting'))));
  return (
    <Section title={t('Retention')}>
      <Stack gap="sm">
        <Text size="sm">
          {t(
            'Finished jobs, log lines and metrics are kept until somebody decides for how long. Suggested for {free} of free disk space:',
            { free: formatBytes(freeBytes) },
          )}
        </Text>
        <Facts
          columns={2}
          items={named(proposal).map(([name, value]) => ({
            label: settingName(name),
            value: settingText(name, value),
          }))}
        />
        <Group gap="xs">
          <Button size="xs" loading={busy} onClick={() => decideNow(proposal, t('Retention is set'))}>
            {t('Apply')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setChanging(true)}>
            {t('Change…')}
          </Button>
          <Button size="xs" variant="subtle" onClick={() => decideNow(keepEverything(), t('Everything is kept'))}>
            {t('Keep everything')}
          </Button>
        </Group>
      </Stack>
      {isChanging && (
        <RetentionForm
          proposal={proposal}
          onClose={() => setChanging(false)}
          onSave={(retention) => decide(retention, t('Retention is set'))}
        />
      )}
    </Section>
  );
}

function RetentionForm({
  proposal,
  onClose,
  onSave,
}: {
  proposal: Retention;
  onClose(): void;
  onSave(retention: Retention): Promise<void>;
}): ReactNode {
  const [values, setValues] = useState<Readonly<Record<string, number | string>>>(proposal);
  return (
    <FormDialog
      title={t('Retention')}
      disabled={Object.values(values).some((value) => typeof value !== 'number')}
      onClose={onClose}
      onSubmit={async () => {
        await onSave(values as Retention);
        onClose();
      }}
    >
      {named(proposal).map(([name], i) => (
        <NumberInput
          key={name}
          label={t('{name}, in {unit}', { name: settingName(name), unit: unitText(name) })}
          {...(name.endsWith('Days') ? { description: t('0: forever') } : {})}
          value={values[name] ?? 0}
          onChange={(value) => setValues((old) => ({ ...old, [name]: value }))}
          min={0}
          max={name.endsWith('Days') ? 36_500 : Number.MAX_SAFE_INTEGER}
          allowNegative={false}
          allowDecimal={false}
          thousandSeparator=" "
          {...(i === 0 ? { 'data-autofocus': true } : {})}
        />
      ))}
    </FormDialog>
  );
}
