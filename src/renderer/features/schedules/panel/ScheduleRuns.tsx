import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ScheduleRun } from '../../../../contract/schedules.ts';
import { t } from '../../../../lib/language.ts';
import { scheduleRunsQuery } from '../../../api/schedules.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { paged, usePlace } from '../../../ui/table/pages.ts';
import { DueTime } from '../DueTime.tsx';
import { lateText, RUN_KIND_WORDS, RUN_TONES } from '../labels.ts';

const columns: readonly DataColumn<ScheduleRun>[] = [
  { id: 'due', header: t('Due'), width: 190, cell: ({ dueAt }) => <DueTime at={dueAt} /> },
  {
    id: 'outcome',
    header: t('Outcome'),
    width: 124,
    fits: true,
    cell: ({ outcome }) => (
      <ToneBadge tone={RUN_TONES[outcome].tone} icon={RUN_TONES[outcome].icon}>
        {RUN_TONES[outcome].word}
      </ToneBadge>
    ),
  },
  { id: 'late', header: t('Late by'), width: 80, align: 'right', cell: (run) => lateText(run) },
  {
    id: 'job',
    header: t('Job'),
    width: 140,
    cell: ({ jobId }) =>
      jobId === null ? (
        <span className="dim">–</span>
      ) : (
        <IdLabel id={jobId} to={`/jobs/${jobId}`} kind={t('job ID')} tail={12} />
      ),
  },
  { id: 'kind', header: t('Trigger'), width: 90, cell: ({ kind }) => RUN_KIND_WORDS[kind] },
  {
    id: 'reason',
    header: t('Reason'),
    width: 160,
    grow: true,
    blank: ({ reason }) => reason === null,
    cell: ({ reason }) => (
      <span className="clip" data-hint={reason ?? undefined}>
        {reason ?? '–'}
      </span>
    ),
  },
];
const dueAt = (run: ScheduleRun): string => run.dueAt;

/** What became of each due time, newest first, and how late its job was. */
export function ScheduleRuns({ scheduleId }: { scheduleId: string }): ReactNode {
  const [place, go] = usePlace();
  const query = useQuery(scheduleRunsQuery(scheduleId, place));
  return (
    <DataTable
      label={t('History of the schedule')}
      what={t('Could not load the history')}
      columns={columns}
      rowId={dueAt}
      maxHeight={420}
      {...paged(query, place, go)}
      empty={<EmptyState title={t('Nothing has been due yet')} />}
    />
  );
}
