import type { ReactNode } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { exportUrl, type JobFilters } from '../../../api/operations.ts';
import { DownloadMenu, type DownloadForm } from '../../../ui/DownloadMenu.tsx';

/** The forms in which the jobs that match are to be had. */
export const exportForms = (filters: JobFilters): readonly DownloadForm[] => [
  { name: 'CSV', hint: t('for spreadsheets'), href: exportUrl('csv', filters), file: 'jobs.csv' },
  { name: 'JSON', hint: t('a single document'), href: exportUrl('json', filters), file: 'jobs.json' },
  { name: 'NDJSON', hint: t('one job per line'), href: exportUrl('ndjson', filters), file: 'jobs.ndjson' },
];

/** All jobs that match, as a file. */
export function ExportMenu({ filters, count }: { filters: JobFilters; count: number | undefined }): ReactNode {
  return (
    <DownloadMenu
      what={count === undefined ? t('Matching jobs') : tn('{count} matching job', '{count} matching jobs', count)}
      forms={exportForms(filters)}
    />
  );
}
