import { Group, Text } from '@mantine/core';
import { IconCalendarTime, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Schedule } from '../../../contract/schedules.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';
import { withoutUndefined } from '../../../lib/without-undefined.ts';
import { schedulesQuery } from '../../api/schedules.ts';
import { useShortcut } from '../../keyboard/use-shortcut.ts';
import { useRights } from '../../stores/role.ts';
import { whyNot } from '../../stores/permissions.ts';
import { EnvironmentBadge, ToneBadge } from '../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/Page.tsx';
import { ReasonButton } from '../../ui/ReasonButton.tsx';
import { RowLink } from '../../ui/RowLink.tsx';
import { useRestoreFocus } from '../../ui/restore-focus.ts';
import { useUiSettings } from '../../ui/settings.tsx';
import { paged } from '../../ui/table/pages.ts';
import { TimeAgo } from '../../ui/Time.tsx';
import type { Zone } from '../../ui/time-text.ts';
import { DueTime } from './DueTime.tsx';
import { ScheduleForm } from './form/ScheduleForm.tsx';
import { nextDueLabel, RUN_TONES, whenText } from './labels.ts';
import { SchedulePanel } from './panel/SchedulePanel.tsx';

const scheduleId = ({ id }: Schedule): string => id;

interface ScheduleListProps {
  /** Of a page of its own; left out: it stands in one. */
  readonly title?: string;
  /** Only of this workflow: its column is left out. */
  readonly workflowId?: string | undefined;
  readonly environment?: Environment | undefined;
  readonly place: { readonly page: number; readonly size: number };
  readonly opened: string | undefined;
  onPlace(change: { page: number; size?: number }): void;
  onOpen(id: string | null): void;
}

/** Schedules, a panel for the one that is open, and the form for a new one. */
export function ScheduleList(props: ScheduleListProps): ReactNode {
  const { title, workflowId, environment, place, opened, onPlace, onOpen } = props;
  const query = useQuery(schedulesQuery(withoutUndefined({ ...place, workflowId, environment })));
  const [isMaking, setMaking] = useState(false);
  const why = whyNot(useRights(), 'workflows.publish', 'anywhere', t('Creating schedules'));
  const { zone } = useUiSettings();
  const columns = useMemo(() => {
    const own = columnsIn(zone);
    return workflowId === undefined ? [WORKFLOW, ...own] : own;
  }, [workflowId, zone]);
  useRestoreFocus(isMaking);
  useShortcut('n', t('New schedule'), why === null ? () => setMaking(true) : null);
  const create = (
    <ReasonButton leftSection={<IconPlus size={14} aria-hidden="true" />} reason={why} onClick={() => setMaking(true)}>
      {t('New schedule')}
    </ReasonButton>
  );
  return (
    <>
      {title === undefined ? (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {t('Schedules start the published version by themselves.')}
          </Text>
          {create}
        </Group>
      ) : (
        <PageHeader title={title} actions={create} />
      )}
      <DataTable
        {...(title === undefined ? { maxHeight: 560 } : { fill: true })}
        label={t('Schedules')}
        what={t('Could not load the schedules')}
        storageKey={workflowId === undefined ? 'schedules' : 'workflow-schedules'}
        columns={columns}
        rowId={scheduleId}
        rowTone={({ paused, nextAt }) => (paused || nextAt === null ? 'muted' : undefined)}
        current={opened}
        onOpen={({ id }) => onOpen(id)}
        {...paged(query, place, onPlace)}
        empty={
          <EmptyState icon={IconCalendarTime} title={t('No schedules')} action={create}>
            {t('A schedule starts a workflow by itself: by a cron expression, at an interval, or once.')}
          </EmptyState>
        }
      />
      {isMaking && (
        <ScheduleForm
          workflowId={workflowId}
          onClose={() => setMaking(false)}
          onSaved={({ id }) => {
            setMaking(false);
            onOpen(id);
          }}
        />
      )}
      <SchedulePanel scheduleId={opened ?? null} onClose={() => onOpen(null)} />
    </>
  );
}

const WORKFLOW: DataColumn<Schedule> = {
  id: 'workflow',
  header: t('Workflow'),
  width: 150,
  grow: true,
  cell: ({ workflowId }) => (
    <RowLink href={`/workflows/${workflowId}?tab=schedules`} className="clip">
      {workflowId}
    </RowLink>
  ),
};

const columnsIn = (shown: Zone): readonly DataColumn<Schedule>[] => [
  {
    id: 'environment',
    header: t('Environment'),
    width: 110,
    fits: true,
    cell: ({ environment }) => <EnvironmentBadge environment={environment} />,
  },
  {
    id: 'when',
    header: t('When'),
    width: 150,
    grow: true,
    cell: (schedule) => <span className="clip mono">{whenText(schedule)}</span>,
  },
  {
    id: 'zone',
    header: t('Time zone'),
    width: 120,
    cell: ({ cron, timeZone }) => (cron === null ? <span className="dim">–</span> : timeZone),
  },
  {
    id: 'next',
    header: nextDueLabel(shown),
    width: 160,
    cell: ({ nextAt, paused }) =>
      paused ? <ToneBadge tone="empty">{t('Paused')}</ToneBadge> : <DueTime at={nextAt} absent={t('never again')} />,
  },
  { id: 'last', header: t('Last due'), width: 100, cell: ({ lastAt }) => <TimeAgo at={lastAt} absent={t('Never')} /> },
  {
    id: 'outcome',
    header: t('Outcome'),
    width: 120,
    fits: true,
    blank: ({ lastOutcome }) => lastOutcome === null,
    cell: ({ lastOutcome }) =>
      lastOutcome === null ? (
        <span className="dim">–</span>
      ) : (
        <ToneBadge tone={RUN_TONES[lastOutcome].tone} icon={RUN_TONES[lastOutcome].icon}>
          {RUN_TONES[lastOutcome].word}
        </ToneBadge>
      ),
  },
  {
    id: 'description',
    header: t('Description'),
    width: 120,
    grow: true,
    blank: ({ description }) => description === null,
    cell: ({ description }) => <span className="clip">{description ?? '–'}</span>,
  },
];
