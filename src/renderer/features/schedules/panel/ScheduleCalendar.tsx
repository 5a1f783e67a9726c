import { ActionIcon, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Schedule } from '../../../../contract/schedules.ts';
import { type RunOutcome, RUN_OUTCOMES } from '../../../../contract/vocabulary.ts';
import { currentLocale, t, tn } from '../../../../lib/language.ts';
import { duePreviewQuery, scheduleRunsQuery } from '../../../api/schedules.ts';
import { useNow } from '../../../ui/settings.tsx';
import { formatClock } from '../../../ui/time-text.ts';
import { RUN_TONES } from '../labels.ts';
import css from '../Schedules.module.css';
import { cutNotes, MOST_COMING, MOST_PAST } from './cut-notes.ts';
import { type CalendarDay, daysOfMonth } from './month.ts';

const MINUTE = 60_000;
/** Due times of a day that are told one by one. */
const SHOWN = 2;

/** A month of due times: what became of those that were, and those that come. */
export function ScheduleCalendar({ schedule }: { schedule: Schedule }): ReactNode {
  const [offset, setOffset] = useState(0);
  // Days change seldom, and each new minute would be another question.
  const now = Math.floor(useNow() / MINUTE) * MINUTE;
  const days = useMemo(() => daysOfMonth(now, offset), [now, offset]);
  const [from, to] = [days[0]?.from ?? now, days.at(-1)?.to ?? now];
  const instant = (ms: number) => new Date(ms).toISOString();
  const runs = useQuery(
    scheduleRunsQuery(schedule.id, { page: 0, size: MOST_PAST, from: instant(from), to: instant(to) }),
  );
  const coming = useQuery({
    ...duePreviewQuery({
      ...(schedule.cron === null ? {} : { cron: schedule.cron }),
      ...(schedule.everySeconds === null ? {} : { everySeconds: schedule.everySeconds }),
      ...(schedule.at === null ? {} : { at: schedule.at }),
      timeZone: schedule.timeZone,
      // Intervals are counted from their creation, where there is no start.
      startAt: schedule.startAt ?? schedule.createdAt,
      ...(schedule.endAt === null ? {} : { endAt: schedule.endAt }),
      from: instant(Math.max(now, from)),
      to: instant(to),
      count: MOST_COMING,
    }),
    enabled: !schedule.paused && to > now,
  });
  const dues = schedule.paused || to <= now ? [] : (coming.data?.times ?? []).map((time) => Date.parse(time));
  const notes = cutNotes(runs.data?.totalItems ?? 0, dues.length);
  const month = new Intl.DateTimeFormat(currentLocale(), { month: 'long', year: 'numeric' });
  const weekday = new Intl.DateTimeFormat(currentLocale(), { weekday: 'short' });
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <ActionIcon variant="default" aria-label={t('Month before')} onClick={() => setOffset(offset - 1)}>
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <strong aria-live="polite">{month.format(days.find(({ isOfMonth }) => isOfMonth)?.from)}</strong>
        <ActionIcon variant="default" aria-label={t('Month after')} onClick={() => setOffset(offset + 1)}>
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <div className={css['calendar']} role="group" aria-label={t('Calendar')}>
        {days.slice(0, 7).map(({ from: at }) => (
          <span key={at} className={`${css['weekday']} dim`}>
            {weekday.format(at)}
          </span>
        ))}
        {days.map((day) => (
          <Day
            key={day.from}
            day={day}
            isToday={now >= day.from && now < day.to}
            outcomes={(runs.data?.items ?? [])
              .filter(({ dueAt }) => Date.parse(dueAt) >= day.from && Date.parse(dueAt) < day.to)
              .map(({ outcome }) => outcome)}
            dues={dues.filter((at) => at >= day.from && at < day.to)}
          />
        ))}
      </div>
      {notes.map((note) => (
        <p key={note} role="status" className={`${css['cut']} dim`}>
          {note}
        </p>
      ))}
    </div>
  );
}

function Day({
  day,
  isToday,
  outcomes,
  dues,
}: {
  day: CalendarDay;
  isToday: boolean;
  outcomes: readonly RunOutcome[];
  dues: readonly number[];
}): ReactNode {
  const counts = RUN_OUTCOMES.map((outcome) => ({
    outcome,
    count: outcomes.filter((one) => one === outcome).length,
  })).filter(({ count }) => count > 0);
  return (
    <div className={css['day']} data-today={isToday}>
      <span className={day.isOfMonth ? '' : 'dim'}>{day.date}</span>
      <ul>
        {counts.map(({ outcome, count }) => (
          <li key={outcome} data-shade={RUN_TONES[outcome].tone}>
            {count} {RUN_TONES[outcome].word}
          </li>
        ))}
        {dues.slice(0, SHOWN).map((at) => (
          <li key={at}>{formatClock(at, 'local')}</li>
        ))}
        {dues.length > SHOWN && <li className="dim">{tn('{count} more', '{count} more', dues.length - SHOWN)}</li>}
      </ul>
    </div>
  );
}
