import { ActionIcon, Button, Checkbox, MultiSelect, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Panel } from '../../../../contract/dashboards.ts';
import {
  GRID_COLUMNS,
  MARK_KINDS,
  PANEL_KINDS,
  PANEL_REDUCERS,
  PANEL_UNITS,
  TONES,
} from '../../../../contract/vocabulary.ts';
import css from './Edit.module.css';
import { t } from '../../../../lib/language.ts';
import { FIRST_QUERY, MIN_HEIGHT, MIN_WIDTH, putPanel, replacePanel } from './layout.ts';
import { QueryForm } from './QueryForm.tsx';
import { KIND_WORDS, MARK_WORDS, TONE_WORDS, UNIT_WORDS } from './labels.ts';
import { bindChecked, bindChoice, bindText } from '../../../ui/bind.ts';

const MAX_QUERIES = 10;
const MAX_THRESHOLDS = 10;
const choices = <T extends string>(words: Readonly<Record<T, string>>, of: readonly T[]) =>
  of.map((value) => ({ value, label: words[value] }));
const numberOf = (value: string | number): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

interface Props {
  readonly panel: Panel;
  readonly variables: readonly string[];
  onChange(next: Panel): void;
  onPlace(grid: Panel['grid']): void;
}

/** All of one panel. */
export function PanelForm({ panel, variables, onChange, onPlace }: Props): ReactNode {
  const set = <K extends keyof Panel>(key: K, value: Panel[K] | undefined) => onChange(putPanel(panel, key, value));
  const { grid, thresholds = [] } = panel;
  const place = (key: keyof Panel['grid'], label: string, min: number, max: number) => (
    <NumberInput
      label={label}
      min={min}
      max={max}
      allowDecimal={false}
      clampBehavior="strict"
      value={grid[key]}
      onChange={(value) => numberOf(value) !== undefined && onPlace({ ...grid, [key]: value })}
    />
  );
  const turn = (kind: Panel['kind']) =>
    onChange(
      kind === 'logs'
        ? {
            ...panel,
            kind,
            queries: [
              panel.queries.find(({ source }) => source === 'logs') ?? {
                source: 'logs',
                query: 'level:in(WARN, ERROR, FATAL) -draft:true',
              },
            ],
          }
        : { ...panel, kind },
    );
  return (
    <>
      <TextInput
        label={t('Title')}
        maxLength={200}
        {...bindText(panel.title, (text) => set('title', text))}
        error={panel.title.trim() === '' && t('Title is required')}
      />
      <Textarea
        label={t('Description')}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={2000}
        {...bindText(panel.description ?? '', (text) => set('description', text || undefined))}
      />
      <div className={css['pair']}>
        <Select label={t('Type')} data={choices(KIND_WORDS, PANEL_KINDS)} {...bindChoice(panel.kind, turn)} />
        {panel.kind !== 'logs' && (
          <Select
            label={t('Unit')}
            data={choices(UNIT_WORDS, PANEL_UNITS)}
            {...bindChoice(panel.unit, (unit) => set('unit', unit))}
          />
        )}
      </div>
      {panel.queries.map((query, i) => (
        <fieldset key={i} className={css['box']} aria-label={t('Query {count}', { count: i + 1 })}>
          <div className={css['head']}>
            <h3>{t('Query {count}', { count: i + 1 })}</h3>
            <ActionIcon
              aria-label={t('Remove query {count}', { count: i + 1 })}
              disabled={panel.queries.length === 1}
              onClick={() => set('queries', replacePanel(panel.queries, i, null))}
            >
              <IconTrash size={15} aria-hidden />
            </ActionIcon>
          </div>
          <QueryForm
            query={query}
            variables={variables}
            logsOnly={panel.kind === 'logs'}
            onChange={(next) => set('queries', replacePanel(panel.queries, i, next))}
          />
        </fieldset>
      ))}
      {panel.kind !== 'logs' && (
        <>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={13} aria-hidden />}
            disabled={panel.queries.length >= MAX_QUERIES}
            onClick={() => set('queries', [...panel.queries, panel.queries.at(-1) ?? FIRST_QUERY])}
          >
            {t('Add query')}
          </Button>
          <div className={css['pair']}>
            <Select
              label={t('Reduce')}
              data={PANEL_REDUCERS}
              placeholder="last"
              clearable
              value={panel.reducer ?? null}
              onChange={(reducer) => set('reducer', reducer ?? undefined)}
            />
            <NumberInput label={t('Y min')} value={panel.min ?? ''} onChange={(value) => set('min', numberOf(value))} />
            <NumberInput label={t('Y max')} value={panel.max ?? ''} onChange={(value) => set('max', numberOf(value))} />
          </div>
          {panel.kind === 'timeseries' && (
            <>
              <Checkbox
                label={t('Stack series')}
                {...bindChecked(panel.stacked ?? false, (on) => set('stacked', on || undefined))}
              />
              <MultiSelect
                label={t('Annotations')}
                data={choices(MARK_WORDS, MARK_KINDS)}
                value={panel.marks ?? []}
                onChange={(marks) => set('marks', marks.length === 0 ? undefined : marks)}
              />
            </>
          )}
          {thresholds.map((threshold, i) => (
            <div key={i} className={css['row']}>
              <NumberInput
                aria-label={t('Threshold {count} from', { count: i + 1 })}
                value={threshold.from}
                onChange={(value) =>
                  numberOf(value) !== undefined &&
                  set('thresholds', replacePanel(thresholds, i, { ...threshold, from: value as number }))
                }
              />
              <Select
                aria-label={t('Threshold {count} severity', { count: i + 1 })}
                data={choices(TONE_WORDS, TONES)}
                {...bindChoice(threshold.tone, (tone) =>
                  set('thresholds', replacePanel(thresholds, i, { ...threshold, tone })),
                )}
              />
              <ActionIcon
                aria-label={t('Remove threshold {count}', { count: i + 1 })}
                onClick={() =>
                  set('thresholds', thresholds.length === 1 ? undefined : replacePanel(thresholds, i, null))
                }
              >
                <IconTrash size={15} aria-hidden />
              </ActionIcon>
            </div>
          ))}
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={13} aria-hidden />}
            disabled={thresholds.length >= MAX_THRESHOLDS}
            onClick={() => set('thresholds', [...thresholds, { from: 1, tone: 'warning' }])}
          >
            {t('Add threshold')}
          </Button>
        </>
      )}
      <div className={css['pair']}>
        {place('x', t('Column'), 0, GRID_COLUMNS - 1)}
        {place('y', t('Row'), 0, 10_000)}
        {place('w', t('Width'), MIN_WIDTH, GRID_COLUMNS)}
        {place('h', t('Height'), MIN_HEIGHT, 100)}
      </div>
    </>
  );
}
