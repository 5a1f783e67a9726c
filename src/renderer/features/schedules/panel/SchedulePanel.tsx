import { Group, Stack, Tabs } from '@mantine/core';
import {
  IconHistoryToggle,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerTrackNext,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { publishAction } from '../../../../contract/actions.ts';
import type { Schedule } from '../../../../contract/schedules.ts';
import { t } from '../../../../lib/language.ts';
import {
  deleteSchedule,
  pauseSchedule,
  resumeSchedule,
  runSchedule,
  scheduleKeys,
  scheduleQuery,
} from '../../../api/schedules.ts';
import { useWhy, useWorkflowPlace } from '../../../stores/role.ts';
import { EnvironmentBadge, ToneBadge } from '../../../ui/Badges.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { formatRoundDuration } from '../../../ui/Duration.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { useUiSettings } from '../../../ui/settings.tsx';
import { SidePanel } from '../../../ui/SidePanel.tsx';
import { Instant, TimeAgo } from '../../../ui/Time.tsx';
import type { Zone } from '../../../ui/time-text.ts';
import { toastError, toastSuccess } from '../../../ui/toasts.tsx';
import { useSending } from '../../../ui/use-sending.ts';
import { DueTime } from '../DueTime.tsx';
import { ScheduleForm } from '../form/ScheduleForm.tsx';
import { nextDueLabel, OVERLAP_WORDS, whenText } from '../labels.ts';
import { BackfillDialog } from './BackfillDialog.tsx';
import { ScheduleCalendar } from './ScheduleCalendar.tsx';
import { ScheduleRuns } from './ScheduleRuns.tsx';

/** One schedule beside the list: what it starts, its due times, and what can be done. */
export function SchedulePanel({ scheduleId, onClose }: { scheduleId: string | null; onClose(): void }): ReactNode {
  return (
    <SidePanel what={t('Schedule')} id={scheduleId} width={860} onClose={onClose}>
      {(id) => <Body key={id} id={id} onClose={onClose} />}
    </SidePanel>
  );
}

function Body({ id, onClose }: { id: string; onClose(): void }): ReactNode {
  const query = useQuery(scheduleQuery(id));
  const { zone } = useUiSettings();
  if (!query.data) return <Loading query={query} what={t('Could not load the schedule')} lines={6} />;
  const schedule = query.data;
  return (
    <Stack gap="md">
      <Group gap="xs">
        <h2 className="mono" style={{ margin: 0 }}>
          {whenText(schedule)}
        </h2>
        {schedule.paused && <ToneBadge tone="empty">{t('Paused')}</ToneBadge>}
      </Group>
      <Actions schedule={schedule} onClose={onClose} />
      <Facts items={factsOf(schedule, zone)} />
      <Tabs defaultValue="runs" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="runs">{t('History')}</Tabs.Tab>
          <Tabs.Tab value="calendar">{t('Calendar')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="runs" pt="sm">
          <ScheduleRuns scheduleId={id} />
        </Tabs.Panel>
        <Tabs.Panel value="calendar" pt="sm">
          <ScheduleCalendar schedule={schedule} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function factsOf(schedule: Schedule, zone: Zone): Parameters<typeof Facts>[0]['items'] {
  const { workflowId, environment, inputs, inputExpression } = schedule;
  return [
    {
      label: t('Workflow'),
      value: (
        <Link to="/workflows/$workflowId" params={{ workflowId }}>
          {workflowId}
        </Link>
      ),
    },
    { label: t('Environment'), value: <EnvironmentBadge environment={environment} /> },
    schedule.cron !== null && { label: t('Time zone'), value: schedule.timeZone },
    { label: nextDueLabel(zone), value: <DueTime at={schedule.nextAt} /> },
    { label: t('Last due'), value: <TimeAgo at={schedule.lastAt} absent={t('Never')} /> },
    schedule.waitingAt !== null && {
      label: t('Waits for the running job'),
      value: <Instant at={schedule.waitingAt} />,
    },
    { label: t('If the previous job is still running'), value: OVERLAP_WORDS[schedule.overlap] },
    { label: t('Catch-up window'), value: formatRoundDuration(schedule.catchUpSeconds * 1000) },
    schedule.jitterSeconds > 0 && { label: t('Jitter'), value: formatRoundDuration(schedule.jitterSeconds * 1000) },
    schedule.startAt !== null && { label: t('Not before'), value: <Instant at={schedule.startAt} /> },
    schedule.endAt !== null && { label: t('Until'), value: <Instant at={schedule.endAt} /> },
    schedule.priority !== 0 && { label: t('Priority'), value: String(schedule.priority) },
    { label: t('Created by'), value: schedule.createdBy },
    schedule.description !== null && { label: t('Description'), wide: true, value: schedule.description },
    (inputs !== null || inputExpression !== null) && {
      label: t('Inputs'),
      wide: true,
      value: <code className="clip">{inputExpression ?? JSON.stringify(inputs)}</code>,
    },
    {
      label: t('Jobs'),
      value: (
        <Link to="/jobs" search={{ triggerId: schedule.id }}>
          {t('Show the jobs')}
        </Link>
      ),
    },
  ];
}

function Actions({ schedule, onClose }: { schedule: Schedule; onClose(): void }): ReactNode {
  const { id, workflowId, environment, paused } = schedule;
  const client = useQueryClient();
  const place = useWorkflowPlace(workflowId, environment);
  const whyNoChange = useWhy(publishAction(environment), place) ?? null;
  const whyNoStart = useWhy('jobs.operate', place) ?? null;
  const [open, setOpen] = useState<'edit' | 'backfill' | null>(null);
  const { busy, send } = useSending();
  const { ask, dialog } = useConfirm();
  const act = (what: string, run: () => Promise<unknown>) =>
    void send(() =>
      run().then(
        () => client.invalidateQueries({ queryKey: scheduleKeys.all }),
        (error: unknown) => toastError(what, error),
      ),
    );
  const remove = () =>
    ask({
      title: t('Delete the schedule?'),
      confirmLabel: t('Delete schedule'),
      danger: true,
      text: t('It starts nothing any more, and its history is deleted. Its jobs stay. This cannot be undone.'),
      async run() {
        await deleteSchedule(id);
        await client.invalidateQueries({ queryKey: ['schedules', 'list'] });
        toastSuccess(t('Schedule deleted'));
        onClose();
      },
    });
  return (
    <Group gap="xs">
      <ReasonButton
        reason={whyNoStart}
        loading={busy}
        leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
        onClick={() =>
          act(t('Could not start the job'), async () => {
            const { jobId } = await runSchedule(id);
            toastSuccess(t('Job …{value} started', { value: jobId.slice(-12) }));
          })
        }
      >
        {t('Run now')}
      </ReasonButton>
      <ReasonButton
        variant="default"
        reason={whyNoChange}
        leftSection={paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
        onClick={() => act(t('Could not change the schedule'), () => (paused ? resumeSchedule(id) : pauseSchedule(id)))}
      >
        {paused ? t('Resume') : t('Pause')}
      </ReasonButton>
      <ReasonButton
        variant="default"
        reason={whyNoChange}
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={() => setOpen('edit')}
      >
        {t('Edit')}
      </ReasonButton>
      <ReasonButton
        variant="default"
        reason={whyNoStart}
        leftSection={<IconHistoryToggle size={14} aria-hidden />}
        onClick={() => setOpen('backfill')}
      >
        {t('Backfill')}
      </ReasonButton>
      <ReasonButton
        variant="default"
        reason={whyNoChange}
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={remove}
      >
        {t('Delete')}
      </ReasonButton>
      {open === 'edit' && (
        <ScheduleForm schedule={schedule} onClose={() => setOpen(null)} onSaved={() => setOpen(null)} />
      )}
      {open === 'backfill' && <BackfillDialog schedule={schedule} onClose={() => setOpen(null)} />}
      {dialog}
    </Group>
  );
}
