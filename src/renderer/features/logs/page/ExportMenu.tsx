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
      what={count === null ? t('All matching lines') : tn('{count} matching line', '{count} matching lines', count)}
      forms={[
        {
          name: t('JSON lines'),
          hint: t('all fields'),
          href: logExportUrl('ndjson', filters, []),
          file: 'logs.ndjson',
        },
        {
          name: 'CSV',
          hint: t('for spreadsheets'),
          href: logExportUrl('csv', filters, columns.length > 0 ? ['_time', 'level', ...columns, '_msg'] : []),
          file: 'logs.csv',
        },
        { name: t('Text'), hint: t('human-readable'), href: logExportUrl('text', filters, []), file: 'logs.log' },
      ]}
    />
  );
}
