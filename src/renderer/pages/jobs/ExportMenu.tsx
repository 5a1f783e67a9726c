import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t, tn } from '../../../lib/language.ts';
import { exportUrl, type JobFilters } from '../../api/operations.ts';

const FORMATS = [
  { format: 'csv', name: 'CSV', hint: t('a table for spreadsheets') },
  { format: 'json', name: 'JSON', hint: t('one document') },
  { format: 'ndjson', name: 'NDJSON', hint: t('one job a line, for programs') },
] as const;

/** All jobs that match, as a file. The master streams it, so its size does not matter. */
export function ExportMenu({ filters, count }: { filters: JobFilters; count: number | undefined }): ReactNode {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />}>
          {t('Export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{count === undefined ? t('The jobs that match') : tn('{count} job that matches', '{count} jobs that match', count)}</Menu.Label>
        {FORMATS.map(({ format, name, hint }) => (
          <Menu.Item key={format} component="a" href={exportUrl(format, filters)} download={`jobs.${format}`}>
            {name} <span className="dim">{hint}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
