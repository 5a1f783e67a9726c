import { COUNTER_OF, type TaskCounters, type TaskState } from '../../contract/vocabulary.ts';
import { t, inSentence } from '../../lib/language.ts';
import css from './CounterBar.module.css';
import { formatCount } from './Duration.tsx';
import { formatNumber } from './number-text.ts';
import { TASK_TONES } from './status.ts';

const ORDER = [
  'COMPLETED',
  'RUNNING',
  'SCHEDULED',
  'READY',
  'FAILED',
  'SCHEDULE_TIMEOUT',
  'RUN_TIMEOUT',
] as const satisfies TaskState[];

/** A job's tasks by state: one bar whose parts grow with the numbers that they show. */
export function CounterBar({ counters }: { counters: TaskCounters }) {
  const parts = ORDER.map((state) => ({ state, count: counters[COUNTER_OF[state]], ...TASK_TONES[state] })).filter(
    (part) => part.count > 0,
  );
  const spoken =
    parts.length === 0
      ? t('No tasks')
      : parts.map((part) => `${formatCount(part.count)} ${inSentence(part.word)}`).join(', ');
  return (
    <div
      className={css['bar']}
      data-many={parts.length > MAX_IN_SIGHT || undefined}
      role="img"
      aria-label={spoken}
      data-hint={spoken}
    >
      {parts.length === 0 && <span className={css['none']}>{t('none')}</span>}
      {parts.map(({ state, count, tone }) => (
        <span key={state} className={css['segment']} data-shade={tone} style={{ flexGrow: Math.sqrt(count) }}>
          {short(count)}
        </span>
      ))}
    </div>
  );
}

/** More parts than these may not have room: the bar cuts them off. */
const MAX_IN_SIGHT = 3;

/** At most four characters, so that a number fits into its part. */
const short = (n: number): string =>
  n < 10_000 ? String(n) : n < 1_000_000 ? `${Math.round(n / 1000)}k` : `${formatNumber(n / 1_000_000, 1)}M`;
