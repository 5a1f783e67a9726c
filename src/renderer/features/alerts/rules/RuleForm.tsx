import { Autocomplete, Button, Group, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AlertRule } from '../../../../contract/alert-rules.ts';
import {
  AGGREGATES,
  COMPARISONS,
  ERROR_STATES,
  NO_DATA_STATES,
  REDUCERS,
  SEVERITIES,
} from '../../../../contract/vocabulary.ts';
import { placeOf } from '../../../stores/permissions.ts';
import { useRights, useWhy } from '../../../stores/role.ts';
import { t } from '../../../../lib/language.ts';
import { alertKeys, createRule, measurementsQuery, updateRule } from '../../../api/alerts.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import css from '../shared/Alerts.module.css';
import { firstProject, RuleProject } from './RuleProject.tsx';
import { EVERYTHING, ruleFromFields, ruleFieldErrors, fieldsFromRule, type RuleFields } from './rule-draft.ts';
import { RulePreview } from './RulePreview.tsx';
import { COMPARISON_WORDS, queryText } from '../shared/labels.ts';
import { bindText } from '../../../ui/bind.ts';
import { useCancel, useSending } from '../../../ui/use-sending.ts';

/** A rule, new or known, with a preview of the last hour. */
export function RuleForm({ rule, onClose }: { rule: AlertRule | null; onClose(): void }): ReactNode {
  const rights = useRights();
  const client = useQueryClient();
  const [fields, setFields] = useState(() => fieldsFromRule(rule, firstProject(rights)));
  const whyAdmin = useWhy('alerts.manage', fields.project === EVERYTHING ? null : placeOf(fields));
  const canAdmin = whyAdmin === undefined;
  const [tried, setTried] = useState(false);
  const { busy, error, send } = useSending();
  const cancel = useCancel(onClose);
  const { data: known } = useQuery(measurementsQuery());
  const faults = ruleFieldErrors(fields);
  const set = <K extends keyof RuleFields>(name: K, value: RuleFields[K]) =>
    setFields((old) => ({ ...old, [name]: value }));
  const text = (name: keyof RuleFields, label: string, description?: string) => ({
    label,
    ...(description ? { description } : {}),
    ...bindText(fields[name], (text) => set(name, text as never)),
    error: (name !== 'name' || tried) && faults[name],
    disabled: !canAdmin,
  });
  const choice = (
    name: keyof RuleFields,
    label: string,
    data: readonly string[] | { value: string; label: string }[],
  ) => ({
    label,
    data: [...data],
    value: fields[name],
    onChange: (value: string | null) => value !== null && set(name, value as never),
    disabled: !canAdmin,
  });

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setTried(true);
    // The field to be mended may have been scrolled away.
    if (Object.keys(faults).length > 0)
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    if (Object.keys(faults).length > 0) return;
    await send(async () => {
      const draft = ruleFromFields(fields, rule);
      const { query, ...rest } = draft;
      if (rule === null) await createRule(draft);
      else await updateRule(rule.id, rule.builtIn ? rest : { query, ...rest });
      await client.invalidateQueries({ queryKey: alertKeys.all });
      toastSuccess(
        rule === null ? t('Created {name}', { name: draft.name }) : t('Updated {name}', { name: draft.name }),
        t('It takes effect at the next evaluation.'),
      );
      onClose();
    });
  }

  const measurement = known?.items.find((one) => one.measurement === fields.measurement);
  const two = fields.op === 'within' || fields.op === 'outside';
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={css['form']}>
      <TextInput
        {...text('name', t('Name'), t('Short: say what is wrong'))}
        withAsterisk
        maxLength={200}
        data-autofocus
      />
      <RuleProject rule={rule} value={fields.project} onChange={(project) => set('project', project)} />
      <h3>{t('Query')}</h3>
      {fields.source === 'engine' && rule ? (
        <p className="dim">
          {t("{query}: the query of a built-in rule can't be changed.", { query: queryText(rule.query) })}
        </p>
      ) : (
        <>
          <SegmentedControl
            aria-label={t('Source')}
            value={fields.source}
            onChange={(value) => set('source', value)}
            disabled={!canAdmin}
            data={[
              { value: 'metrics', label: t('Metrics') },
              { value: 'logs', label: t('Logs') },
            ]}
          />
          {fields.source === 'logs' ? (
            <div className={css['pair']}>
              <TextInput
                {...text('logs', t('Matching records'), 'LogsQL')}
                classNames={{ input: 'mono' }}
                spellCheck={false}
              />
              <TextInput {...text('groupBy', t('Group by'), t('A field. Empty: no grouping'))} spellCheck={false} />
            </div>
          ) : (
            <>
              <div className={css['pair']}>
                <Select {...choice('aggregate', t('Aggregation'), AGGREGATES)} />
                <Autocomplete
                  label={t('Measurement')}
                  value={fields.measurement}
                  onChange={(value) => set('measurement', value)}
                  data={known?.items.map((one) => one.measurement) ?? []}
                  error={faults.measurement}
                  disabled={!canAdmin}
                />
                <Autocomplete
                  label={t('Field')}
                  value={fields.field}
                  onChange={(value) => set('field', value)}
                  data={measurement?.fields.map(({ name }) => name) ?? []}
                  error={faults.field}
                  disabled={!canAdmin}
                />
              </div>
              <div className={css['pair']}>
                <TextInput
                  {...text('groupBy', t('Group by'), t('Tags, separated by commas. Empty: no grouping'))}
                  spellCheck={false}
                />
                <TextInput
                  {...text('filters', t('Filter'), t('tag=value; separate several values with |'))}
                  spellCheck={false}
                />
              </div>
            </>
          )}
        </>
      )}
      <h3>{t('Condition')}</h3>
      <div className={css['pair']}>
        <Select
          {...choice(
            'op',
            t('Value is'),
            COMPARISONS.map((op) => ({ value: op, label: COMPARISON_WORDS[op] })),
          )}
        />
        <TextInput {...text('value', two ? t('Lower bound') : t('Threshold'))} inputMode="decimal" />
        {two && <TextInput {...text('upper', t('Upper bound'))} inputMode="decimal" />}
        <TextInput {...text('range', t('Time window'))} />
        <TextInput {...text('wait', t('Pending period'))} />
      </div>
      <RulePreview fields={fields} rule={rule} />
      <h3>{t('Notification')}</h3>
      <TextInput
        {...text('summary', t('Summary'), t('Supports {{ $value }}, {{ $value | percent }} and {{ $labels.NAME }}'))}
      />
      <Textarea
        {...text('description', t('Description'), t('What it means and what to do'))}
        autosize
        minRows={2}
        maxRows={6}
      />
      <div className={css['pair']}>
        <Select {...choice('severity', t('Severity'), SEVERITIES)} />
        <TextInput {...text('labels', t('Labels'), t('Used for routing: name=value'))} spellCheck={false} />
      </div>
      <h3>{t('Advanced')}</h3>
      <div className={css['pair']}>
        <TextInput {...text('interval', t('Evaluation interval'))} />
        <TextInput {...text('keep', t('Keep firing for'))} />
        {fields.source !== 'logs' && <Select {...choice('reducer', t('Reducer'), REDUCERS)} />}
        <Select {...choice('noData', t('If no data'), NO_DATA_STATES)} />
        <Select {...choice('onError', t('If query fails'), ERROR_STATES)} />
      </div>
      <ErrorLine error={error} />
      <Group justify="flex-end" gap="xs" className={css['foot'] ?? ''}>
        <Button variant="default" onClick={cancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={busy} disabled={!canAdmin} title={whyAdmin}>
          {rule === null ? t('Create rule') : t('Save')}
        </Button>
      </Group>
    </form>
  );
}
