import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Popover,
  ScrollArea,
  Select,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { IconChevronRight, IconFilterMinus, IconFilterPlus, IconTable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { type LogFilters, logFieldsQuery, logValuesQuery } from '../../../api/logs.ts';
import { COLOUR_BY, type ColourBy } from '../list/record-hue.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import css from './LogsPage.module.css';
import { bindChoice, bindText } from '../../../ui/bind.ts';

const COLOUR_WORDS: Readonly<Record<ColourBy, string>> = {
  level: t('Level'),
  source: 'Source',
  job_id: t('Job'),
  task_id: t('Task'),
  worker_id: t('Worker'),
  node: t('Node'),
};
const HIDDEN = new Set(['_time', '_msg', '_stream', '_stream_id', 'level']);
const VALUES = 8;

export interface FieldMenuProps {
  readonly filters: LogFilters;
  readonly columns: readonly string[];
  readonly colour: ColourBy;
  onColumn(field: string): void;
  onColour(colour: ColourBy): void;
  onFilter(field: string, value: string, negate: boolean): void;
}

/** Fields of what matches: shown as columns, and their commonest values to filter by. */
export function FieldMenu(props: FieldMenuProps): ReactNode {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus width={340}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconTable size={14} aria-hidden />}
          aria-expanded={opened}
          onClick={() => setOpened((now) => !now)}
        >
          {t('Fields')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>{opened && <Fields {...props} />}</Popover.Dropdown>
    </Popover>
  );
}

function Fields({ filters, columns, colour, onColumn, onColour, onFilter }: FieldMenuProps): ReactNode {
  const [contains, setContains] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const query = useQuery(logFieldsQuery({ ...filters, limit: 500 }));
  const known = new Map(query.data?.values.map(({ value, count }) => [value, count]));
  for (const column of columns) if (!known.has(column)) known.set(column, 0);
  const fields = [...known].filter(
    ([name]) => !HIDDEN.has(name) && name.toLowerCase().includes(contains.toLowerCase()),
  );
  return (
    <Stack gap={8}>
      <Select
        label={t('Colour stripes by')}
        data={COLOUR_BY.map((value) => ({ value, label: COLOUR_WORDS[value] }))}
        {...bindChoice(colour, onColour)}
        comboboxProps={{ withinPortal: false }}
      />
      <TextInput
        label={t('Columns')}
        placeholder={t('Search fields')}
        {...bindText(contains, setContains)}
        data-autofocus
      />
      {query.error && <ErrorLine error={query.error} />}
      <ScrollArea.Autosize mah={360} type="auto">
        {fields.map(([name, count]) => (
          <div key={name}>
            <Group gap={6} wrap="nowrap" justify="space-between">
              <Checkbox
                label={<span className="mono">{name}</span>}
                checked={columns.includes(name)}
                onChange={() => onColumn(name)}
              />
              <UnstyledButton
                className={css['values']}
                aria-expanded={open === name}
                aria-label={t('Values of {name}', { name })}
                onClick={() => setOpen(open === name ? null : name)}
              >
                <span className="numbers dim">{count > 0 ? formatCount(count) : ''}</span>
                <IconChevronRight size={13} aria-hidden />
              </UnstyledButton>
            </Group>
            {open === name && <Values filters={filters} field={name} onFilter={onFilter} />}
          </div>
        ))}
        {fields.length === 0 && !query.isPending && (
          <Text size="xs" c="dimmed">
            {t('No matching field')}
          </Text>
        )}
      </ScrollArea.Autosize>
      {query.data?.complete === false && (
        <Text size="xs" c="dimmed">
          {t('Counted over the newest lines')}
        </Text>
      )}
    </Stack>
  );
}

function Values({
  filters,
  field,
  onFilter,
}: {
  filters: LogFilters;
  field: string;
  onFilter: FieldMenuProps['onFilter'];
}): ReactNode {
  const query = useQuery(logValuesQuery({ ...filters, field, limit: VALUES }));
  if (query.error) return <ErrorLine error={query.error} />;
  return (
    <div className={css['facet']}>
      {query.data?.values.map(({ value, count }) => (
        <div key={value}>
          <span className="clip mono" title={value}>
            {value === '' ? t('(none)') : value}
          </span>
          <span className="numbers dim">{formatCount(count)}</span>
          <ActionIcon
            size={24}
            aria-label={t('Only records with {field} {value}', { field, value })}
            onClick={() => onFilter(field, value, false)}
          >
            <IconFilterPlus size={13} aria-hidden />
          </ActionIcon>
          <ActionIcon
            size={24}
            aria-label={t('Exclude records with {field} {value}', { field, value })}
            onClick={() => onFilter(field, value, true)}
          >
            <IconFilterMinus size={13} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {query.isPending && <span className="dim">{t('Counting…')}</span>}
    </div>
  );
}
