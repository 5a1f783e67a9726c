import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { COLUMN_NAMES } from './columns.tsx';
import type { ChosenColumns } from './use-columns.ts';
import type { JobColumn } from '../jobs-list-search.ts';

/** Which columns show, and in which order. `onChange` with undefined: the usual ones. */
export function ColumnMenu({
  columns: { hide, order },
  onChange,
}: {
  columns: ChosenColumns;
  onChange(next: Partial<ChosenColumns> | undefined): void;
}): ReactNode {
  const [opened, setOpened] = useState(false);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const toggle = (column: JobColumn) =>
    onChange({ hide: hide.includes(column) ? hide.filter((one) => one !== column) : [...hide, column] });
  const move = (index: number, by: -1 | 1) => {
    const next = [...order];
    const [column] = next.splice(index, 1);
    if (column === undefined) return;
    next.splice(index + by, 0, column);
    onChange({ order: next });
    setSaid(
      t('{column} moved to position {place} of {count}', {
        column: COLUMN_NAMES[column],
        place: index + by + 1,
        count: order.length,
      }),
    );
    // The button that was pressed moves with its column.
    requestAnimationFrame(() =>
      list.current
        ?.querySelector<HTMLElement>(`[data-move="${column} ${by}"]:not(:disabled), [data-move="${column} ${-by}"]`)
        ?.focus(),
    );
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={t('Columns')}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('Columns')}
            aria-expanded={opened}
            onClick={() => setOpened((now) => !now)}
          >
            <IconColumns3 size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Columns')}>
        <Stack gap={2} ref={list}>
          {order.map((column, index) => (
            <Group key={column} gap={2} wrap="nowrap" justify="space-between" miw={200}>
              <Checkbox
                checked={!hide.includes(column)}
                onChange={() => toggle(column)}
                label={column === 'externalId' ? t('External ID, if any') : COLUMN_NAMES[column]}
              />
              <Group gap={0} wrap="nowrap">
                {(
                  [
                    [-1, IconArrowUp, t('Move {column} up', { column: COLUMN_NAMES[column] })],
                    [1, IconArrowDown, t('Move {column} down', { column: COLUMN_NAMES[column] })],
                  ] as const
                ).map(([by, Icon, name]) => (
                  <ActionIcon
                    key={by}
                    size="sm"
                    data-move={`${column} ${by}`}
                    aria-label={name}
                    disabled={index + by < 0 || index + by >= order.length}
                    onClick={() => move(index, by)}
                  >
                    <Icon size={13} aria-hidden />
                  </ActionIcon>
                ))}
              </Group>
            </Group>
          ))}
          <Button variant="subtle" color="gray" size="compact-sm" mt={4} onClick={() => onChange(undefined)}>
            {t('Reset columns')}
          </Button>
          <span role="status" className="visually-hidden">
            {said}
          </span>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
