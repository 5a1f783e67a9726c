import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconChevronRight, IconFilterMinus, IconFilterPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { toneStyle } from '../../ui/Badges.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { useUiSettings } from '../../ui/settings.tsx';
import { formatInstant } from '../../ui/Time.tsx';
import { marked } from '../log-query/tokens.ts';
import type { LogEntry } from './buffer.ts';
import { levelTone } from './level.ts';
import css from './LogList.module.css';

/** Characters of a message that a folded line draws. */
const SHOWN = 4000;

export interface LogRowProps {
  readonly entry: LogEntry;
  readonly domId: string;
  readonly open: boolean;
  readonly active: boolean;
  readonly needles: readonly string[];
  onToggle(key: number): void;
  readonly onFilter: ((field: string, value: string, negate: boolean) => void) | undefined;
}

export const LogRow = memo(function LogRow({ entry, domId, open, active, needles, onToggle, onFilter }: LogRowProps): ReactNode {
  const { record } = entry;
  const { zone } = useUiSettings();
  const level = typeof record.level === 'string' ? record.level : undefined;
  const more = linesAfterFirst(record._msg);
  return (
    <div className={css['row']} data-open={open || undefined} data-active={active || undefined} style={toneStyle(levelTone(level))}>
      <button type="button" id={domId} tabIndex={-1} className={css['line']} aria-expanded={open} onClick={() => onToggle(entry.key)}>
        <IconChevronRight size={13} className={css['chevron']} aria-hidden />
        <time className={css['time']} dateTime={record._time}>
          {formatInstant(record._time, zone).slice(5, 23)}
        </time>
        <span className={css['level']}>{level ?? ''}</span>
        {more > 0 && <span className={css['more']}>+{more} {more === 1 ? 'line' : 'lines'}</span>}
        <span className={css['message']}>
          {marked(record._msg.slice(0, SHOWN), needles).map((piece, i) => (piece.hit ? <mark key={i}>{piece.text}</mark> : piece.text))}
          {record._msg.length > SHOWN && '…'}
        </span>
      </button>
      {open && <Detail record={record} onFilter={onFilter} />}
    </div>
  );
});

/** A folded line shows the first line of its message; this many follow. */
function linesAfterFirst(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < SHOWN; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

const FIRST = ['_time', 'level', 'job_id', 'task_id', 'worker_id', 'source'];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function Detail({ record, onFilter }: { record: LogEntry['record']; onFilter: LogRowProps['onFilter'] }): ReactNode {
  const fields = Object.entries(record)
    .filter(([field, value]) => field !== '_msg' && value !== null && value !== undefined && value !== '')
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const { job_id: job, task_id: task } = record;
  return (
    <div className={css['detail']}>
      <pre className={css['whole']}>{record._msg}</pre>
      <dl className={css['fields']}>
        {fields.map(([field, value]) => {
          const text = textOf(value);
          return (
            <div key={field} className={css['field']}>
              <dt>{field}</dt>
              <dd>
                <span>{text}</span>
                {onFilter && field !== '_time' && (
                  <>
                    <FilterButton label={`Only records with this ${field}`} icon={IconFilterPlus} onClick={() => onFilter(field, text, false)} />
                    <FilterButton label={`No records with this ${field}`} icon={IconFilterMinus} onClick={() => onFilter(field, text, true)} />
                  </>
                )}
                <CopyButton value={text} label={`Copy ${field}`} size="xs" />
              </dd>
            </div>
          );
        })}
      </dl>
      <Group gap={6}>
        {job !== undefined && task !== undefined && (
          <Button size="compact-xs" variant="default" renderRoot={(root) => <Link to="/jobs/$jobId" params={{ jobId: job }} search={{ task }} {...root} />}>
            Open the task
          </Button>
        )}
        {job !== undefined && (
          <Button size="compact-xs" variant="default" renderRoot={(root) => <Link to="/jobs/$jobId" params={{ jobId: job }} {...root} />}>
            Open the job
          </Button>
        )}
        <CopyButton value={JSON.stringify(record)} label="Copy the record as JSON" size="xs" />
      </Group>
    </div>
  );
}

const rank = (field: string): number => (FIRST.includes(field) ? FIRST.indexOf(field) : FIRST.length);

function FilterButton({ label, icon: Icon, onClick }: { label: string; icon: typeof IconFilterPlus; onClick(): void }): ReactNode {
  return (
    <Tooltip label={label}>
      <ActionIcon size="xs" aria-label={label} onClick={onClick}>
        <Icon size={13} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
