import { IconPinFilled } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import type { LogRecord } from '../../../../contract/logs.ts';
import { t, tn } from '../../../../lib/language.ts';
import { fieldText } from '../../../../lib/log-line.ts';
import { useUiSettings } from '../../../ui/settings.tsx';
import { formatBrief } from '../../../ui/time-text.ts';
import { type ColourBy, recordHue } from './record-hue.ts';
import { levelTone } from '../level-tone.ts';
import css from './LogList.module.css';
import { type Highlights, splitByMatches } from './highlight.ts';

/** Characters of a message that a folded line draws. */
const SHOWN = 4000;

export interface LogRowProps {
  readonly record: LogRecord;
  readonly number: number;
  readonly domId: string;
  readonly open: boolean;
  readonly active: boolean;
  readonly selected: boolean;
  readonly pinned: boolean;
  /** The match of the find bar that is looked at. */
  readonly found: boolean;
  readonly columns: readonly string[];
  /** Fields that are other than in the line before, as text; absent: none are shown. */
  readonly differing?: string;
  readonly colour: ColourBy;
  readonly marks: Highlights;
  readonly onToggle?: (number: number) => void;
}

/** One line of the list. */
export const LogRow = memo(function LogRow({
  record,
  number,
  domId,
  open,
  active,
  selected,
  pinned,
  found,
  columns,
  differing = '',
  colour,
  marks,
  onToggle,
}: LogRowProps): ReactNode {
  const { zone } = useUiSettings();
  const level = typeof record.level === 'string' ? record.level : undefined;
  const message = String(record._msg ?? '');
  const more = linesAfterFirst(message);
  return (
    <div
      role="row"
      id={domId}
      className={css['line']}
      aria-selected={selected}
      data-open={open || undefined}
      data-number={number}
      data-active={active || undefined}
      data-found={found || undefined}
      data-hue={colour === 'level' ? undefined : recordHue(record, colour)}
      data-shade={levelTone(level)}
    >
      <span role="gridcell" className={css['fold']}>
        {onToggle && (
          <button
            type="button"
            tabIndex={-1}
            data-pinned={pinned || undefined}
            aria-expanded={open}
            aria-label={t('All fields')}
            onClick={() => onToggle(number)}
          >
            {pinned && <IconPinFilled size={12} aria-hidden />}
          </button>
        )}
      </span>
      <time role="gridcell" className={css['time']} dateTime={record._time}>
        {formatBrief(record._time, zone)}
      </time>
      <span role="gridcell" className={css['level']}>
        <Marked text={level ?? ''} marks={marks} own />
      </span>
      {columns.map((field) => (
        <span key={field} role="gridcell" className={`clip ${css['column']}`}>
          <Marked text={textAt(record, field)} marks={marks} own />
        </span>
      ))}
      <span role="gridcell" className={css['message']}>
        {more > 0 && <span className={css['more']}>{tn('+{count} line', '+{count} lines', more)}</span>}
        <Marked text={message.slice(0, SHOWN)} marks={marks} />
        {message.length > SHOWN && '…'}
      </span>
      {differing !== '' && (
        <span role="gridcell" className={css['differing']}>
          {differing}
        </span>
      )}
    </div>
  );
});

const NO_WORDS: readonly string[] = [];

/** `own`: a field beside the message, which the words of the query are not looked for in. */
function Marked({ text, marks, own = false }: { text: string; marks: Highlights; own?: boolean }): ReactNode {
  const pieces = splitByMatches(text, own ? { needles: NO_WORDS, find: marks.find } : marks);
  if (pieces === null) return text;
  return pieces.map((piece, i) =>
    piece.hit ? (
      <mark key={i} data-find={piece.hit === 'find' || undefined}>
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}

const textAt = (record: LogRecord, field: string): string =>
  record[field] === undefined || record[field] === null ? '' : fieldText(record[field]);

/** A folded line shows the first line of its message; this many follow. */
function linesAfterFirst(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < SHOWN; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
