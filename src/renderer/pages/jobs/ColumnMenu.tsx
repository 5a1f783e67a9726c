import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { COLUMN_NAMES } from './columns.tsx';
import { JOB_COLUMNS, type JobColumn } from './search.ts';

export function ColumnMenu({ hidden, onChange }: { hidden: readonly JobColumn[]; onChange(hidden: JobColumn[] | undefined): void }): ReactNode {
  const toggle = (column: JobColumn) => onChange(hidden.includes(column) ? hidden.filter((one) => one !== column) : [...hidden, column]);
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('Columns')}>
          <ActionIcon variant="default" size={30} aria-label={t('Columns')}>
            <IconColumns3 size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('Columns')}>
        {JOB_COLUMNS.map((column) => (
          <Menu.CheckboxItem key={column} checked={!hidden.includes(column)} onChange={() => toggle(column)}>
            {COLUMN_NAMES[column]}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => onChange(undefined)}>{t('The usual columns')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
