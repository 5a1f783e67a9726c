import type { ReactNode } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { type LogFilters, logExportUrl } from '../../../api/logs.ts';
import { DownloadMenu } from '../../../ui/DownloadMenu.tsx';

/** All records that match, as a file. `columns` are those that the reader has chosen. */
export function ExportMenu({
  filters,
  columns,
  count,
}: {
  filters: LogFilters;
  columns: readonly string[];
  count: number | null;
}): ReactNode {
  return (
    <DownloadMenu
      what={
        count === null ? t('All lines that match') : tn('{count} line that matches', '{count} lines that match', count)
      }
      forms={[
        {
          name: t('JSON lines'),
          hint: t('every field, for programs'),
          href: logExportUrl('ndjson', filters, []),
          file: 'logs.ndjson',
        },
        {
          name: 'CSV',
          hint: t('a table for spreadsheets'),
          href: logExportUrl('csv', filters, columns.length > 0 ? ['_time', 'level', ...columns, '_msg'] : []),
          file: 'logs.csv',
        },
        { name: t('Text'), hint: t('for people'), href: logExportUrl('text', filters, []), file: 'logs.log' },
      ]}
    />
  );
}
