import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { duePreviewQuery } from '../../../api/schedules.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { isKnownZone } from '../../../ui/time-text.ts';
import { DueTime } from '../DueTime.tsx';
import css from '../Schedules.module.css';
import { faultsFrom, timingOf, type Values } from './values.ts';

const TYPING_MS = 250;

/** What may be wrong with a timing, as the form names it. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  cron: t('Cron expression'),
  timeZone: t('Time zone'),
  endAt: t('Until'),
};

/** The next ten due times of what the form holds, or why there are none. */
export function DuePreview({ values }: { values: Values }): ReactNode {
  const timing = timingOf(values);
  const bound = (text: string) => {
    const at = Date.parse(text);
    return Number.isNaN(at) ? undefined : new Date(at).toISOString();
  };
  const [wanted] = useDebouncedValue(
    JSON.stringify({
      ...timing,
      timeZone: values.timeZone,
      startAt: bound(values.startAt),
      endAt: bound(values.endAt),
    }),
    TYPING_MS,
  );
  // What was typed a moment ago, as it was made above.
  const { cron, everySeconds, at, ...rest } = JSON.parse(wanted) as Parameters<typeof duePreviewQuery>[0];
  const isWhole = cron !== undefined || everySeconds !== undefined || at !== undefined;
  const query = useQuery({
    ...duePreviewQuery({
      ...rest,
      ...(cron === undefined ? {} : { cron }),
      ...(everySeconds === undefined ? {} : { everySeconds }),
      ...(at === undefined ? {} : { at }),
    }),
    enabled: isWhole,
  });
  // As the cron expression has them: it is there that its author looks for a mistake.
  const named = cron === undefined ? undefined : rest.timeZone;
  const zone = named !== undefined && isKnownZone(named) ? named : undefined;
  const { error, data } = query;
  const [fault] = error instanceof ApiError ? Object.entries(faultsFrom(error.errors)) : [];
  const reason = fault && `${FIELD_WORDS[fault[0]] ?? fault[0]} ${fault[1]}`;
  return (
    <section className={css['preview']} aria-label={t('Next runs')} aria-live="polite">
      <h3>
        {t('Next runs')}
        {zone !== undefined && <span className="dim"> ({zone})</span>}
      </h3>
      {error && isWhole ? (
        reason === undefined ? (
          <ErrorLine error={error} />
        ) : (
          <p className={css['fault']}>{reason}</p>
        )
      ) : !isWhole || data === undefined ? (
        <p className="dim">–</p>
      ) : data.times.length === 0 ? (
        <p className={css['fault']}>{t('Never due')}</p>
      ) : (
        <>
          {zone !== named && (
            <p className="dim">
              {t('This console does not know the time zone {zone}: the times are shown in its own.', {
                zone: named ?? '',
              })}
            </p>
          )}
          <ol>
            {data.times.map((time) => (
              <li key={time}>
                <DueTime at={time} zone={zone} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
