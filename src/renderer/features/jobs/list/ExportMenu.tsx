import type { ReactNode } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { exportUrl, type JobFilters } from '../../../api/operations.ts';
import { DownloadMenu } from '../../../ui/DownloadMenu.tsx';

/** All jobs that match, as a file. */
export function ExportMenu({ filters, count }: { filters: JobFilters; count: number | undefined }): ReactNode {
  return (
    <DownloadMenu
      what={
        count === undefined
          ? t('The jobs that match')
          : tn('{count} job that matches', '{count} jobs that match', count)
      }
      forms={[
        { name: 'CSV', hint: t('a table for spreadsheets'), href: exportUrl('csv', filters), file: 'jobs.csv' },
        { name: 'JSON', hint: t('one document'), href: exportUrl('json', filters), file: 'jobs.json' },
        {
          name: 'NDJSON',
          hint: t('one job a line, for programs'),
          href: exportUrl('ndjson', filters),
          file: 'jobs.ndjson',
        },
      ]}
    />
  );
}
