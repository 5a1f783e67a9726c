import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t, tn } from '../../../lib/language.ts';
import { type LogFilters, logExportUrl } from '../../api/logs.ts';

const FORMATS = [
  { format: 'ndjson', ending: 'ndjson', name: t('JSON lines'), hint: t('every field, for programs') },
  { format: 'csv', ending: 'csv', name: 'CSV', hint: t('a table for spreadsheets') },
  { format: 'text', ending: 'log', name: t('Text'), hint: t('for people') },
] as const;

/** All records that match, as a file. The master streams it, so its size does not matter. */
export function ExportMenu({ filters, columns, count }: { filters: LogFilters; columns: readonly string[]; count: number | null }): ReactNode {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          {t('Export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{count === null ? t('All lines that match') : tn('{count} line that matches', '{count} lines that match', count)}</Menu.Label>
        {FORMATS.map(({ format, ending, name, hint }) => (
          <Menu.Item key={format} component="a" href={logExportUrl(format, filters, format === 'csv' && columns.length > 0 ? ['_time', 'level', ...columns, '_msg'] : [])} download={`logs.${ending}`}>
            {name} <span className="dim">{hint}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
