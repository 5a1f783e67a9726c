import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { LogRecord } from '../../../../contract/logs.ts';
import { t } from '../../../../lib/language.ts';
import type { LogBuffer } from './buffer.ts';
import type { ColourBy } from './record-hue.ts';
import { createDifferingFields } from './differing-fields.ts';
import { LogDetail } from './LogDetail.tsx';
import css from './LogList.module.css';
import { LogRow } from './LogRow.tsx';
import type { Highlights } from './highlight.ts';
import { createRowKeys } from './row-keys.ts';
import { extendSelection, isSelected, type Selection } from './selection.ts';
import { useScroller } from './use-scroller.ts';
import { useSelection } from './use-selection.ts';

export interface LogListProps {
  readonly label: string;
  readonly buffer: LogBuffer;
  readonly first: number;
  readonly end: number;
  readonly wrap: boolean;
  readonly columns: readonly string[];
  readonly colour: ColourBy;
  readonly marks: Highlights;
  /** Whether the find bar found this line. */
  isFound(number: number): boolean;
  /** The match that is looked at; each new object brings it into sight. */
  readonly goTo: { readonly number: number } | null;
  readonly pinned: ReadonlySet<number>;
  /** Lines of another query than the one that was asked for. */
  readonly old: boolean;
  readonly onFilter?: ((field: string, value: string, negate: boolean) => void) | undefined;
  readonly onColumn?: ((field: string) => void) | undefined;
  onPin(number: number): void;
  onContext(number: number): void;
  onCopy(selection: Selection): void;
  onSelection(selection: Selection | null): void;
  /** The view sticks to the newest line, or no more; and the first line that is drawn. */
  onPlace(atEnd: boolean, from: number): void;
  /** Set to scroll to the newest line. */
  readonly toEndRef: { current: () => void };
}

/**
 * Lines, oldest on top. One stop of the Tab key: arrows, `j` and `k`, Page and Home and End move, Shift selects, Enter
 * unfolds. Lines are drawn as far as they are in sight, whatever their number and height.
 */
export function LogList(props: LogListProps): ReactNode {
  const {
    label,
    buffer,
    first,
    end,
    wrap,
    columns,
    colour,
    marks,
    isFound,
    goTo,
    pinned,
    old,
    onFilter,
    onColumn,
    onPin,
    onContext,
    onCopy,
    onSelection,
    onPlace,
    toEndRef,
  } = props;
  const scrollRef = useRef<HTMLDivElement>(null);
  const viewRef = useRef<HTMLDivElement>(null);
  const innerRef = useRef<HTMLDivElement>(null);
  const made = useRef<{ buffer: LogBuffer; records: ReadonlyMap<number, LogRecord> }>({ buffer, records: new Map() });
  const base = useId();
  const [rowKeys] = useState(createRowKeys);
  const [differing] = useState(createDifferingFields);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [unfolded, setUnfolded] = useState<{ readonly number: number } | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const even = useMemo(
    () => !wrap && ![...open].some((number) => number >= first && number < end),
    [wrap, open, first, end],
  );
  const scroller = useScroller({ scrollRef, viewRef, innerRef, first, end, startAtEnd: true, even });
  const { selection, select, dragged, onPointerDown } = useSelection(scroller, viewRef, first, end);
  const active = cursor !== null && cursor >= first && cursor < end ? cursor : null;
  toEndRef.current = scroller.toEnd;

  useEffect(() => onPlace(scroller.atEnd, scroller.from), [scroller.atEnd, scroller.from]);
  useEffect(() => onSelection(selection), [selection]);
  useEffect(() => {
    if (goTo === null || goTo.number < first || goTo.number >= end) return;
    setCursor(goTo.number);
    scroller.reveal(goTo.number, true);
  }, [goTo]);

  // What somebody looks into is seen whole, and does not move away.
  useEffect(() => {
    if (unfolded !== null) scroller.reveal(unfolded.number);
  }, [unfolded]);

  const toggle = (number: number) => {
    setCursor(number);
    setOpen((before) => {
      const next = new Set([...before].filter((one) => one >= first));
      if (!next.delete(number)) next.add(number);
      return next;
    });
    setUnfolded({ number });
  };
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === 'a' && end > first) select({ anchor: first, head: end - 1 });
      else if (key === 'c' && selection !== null && window.getSelection()?.isCollapsed !== false) onCopy(selection);
      else return;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const at =
      active ?? (scroller.atEnd ? end : scroller.numberAt((viewRef.current?.getBoundingClientRect().top ?? 0) + 4) - 1);
    const to = {
      j: at + 1,
      ArrowDown: at + 1,
      k: at - 1,
      ArrowUp: at - 1,
      Home: first,
      End: end - 1,
      PageDown: at + scroller.page(),
      PageUp: at - scroller.page(),
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const number = Math.max(first, Math.min(end - 1, to));
      setCursor(number);
      select(event.shiftKey ? extendSelection(selection, active ?? number, number) : null);
      if (event.key === 'End' || number === end - 1) scroller.toEnd();
      else scroller.reveal(number);
    } else if (active !== null && ['Enter', ' ', 'ArrowRight', 'ArrowLeft', 'p', 'c'].includes(event.key)) {
      event.preventDefault();
      if (event.key === 'p') onPin(active);
      else if (event.key === 'c') onContext(active);
      else if (event.key === 'Enter' || event.key === ' ' || open.has(active) === (event.key === 'ArrowLeft'))
        toggle(active);
    } else if (event.key === 'Escape' && (open.size > 0 || selection !== null)) {
      event.preventDefault();
      if (selection !== null) select(null);
      else setOpen(new Set());
    }
  }
  function onClick(event: MouseEvent<HTMLDivElement>) {
    if (dragged() || event.shiftKey || window.getSelection()?.isCollapsed === false) return;
    const line =
      event.target instanceof Element && !event.target.closest('button, a')
        ? event.target.closest('[data-number]')
        : null;
    if (line) toggle(Number(line.getAttribute('data-number')));
  }
  // A record is made of its text once, not at each drawing; only those in sight are kept.
  const drawn = new Map<number, LogRecord>();
  const before = made.current.buffer === buffer ? made.current.records : null;
  for (let number = scroller.from; number < scroller.to; number++)
    drawn.set(number, before?.get(number) ?? buffer.record(number));
  made.current = { buffer, records: drawn };
  // A text that is being selected and what a line unfolds to are bound to their element.
  const keyOf = rowKeys.of(scroller.from, scroller.to, even && window.getSelection()?.isCollapsed !== false);
  return (
    <div
      ref={scrollRef}
      className={`card ${css['scroll']}`}
      data-wrap={wrap || undefined}
      data-old={old || undefined}
      aria-busy={old}
      data-own-place
      role="grid"
      data-log-list
      tabIndex={0}
      aria-label={label}
      aria-multiselectable
      aria-rowcount={end - first}
      aria-activedescendant={
        active !== null && active >= scroller.from && active < scroller.to ? `${base}${active}` : undefined
      }
      onScroll={scroller.onScroll}
      onWheel={(event) => scroller.onWheel(event.deltaY)}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onClick={onClick}
    >
      <div className={css['track']} style={{ height: scroller.track }}>
        <div className={css['layer']}>
          {columns.length > 0 && (
            <div role="row" className={css['head']}>
              <span role="columnheader" className={css['fold']} aria-label={t('Expand')} />
              <span role="columnheader" className={css['time']}>
                {t('time')}
              </span>
              <span role="columnheader" className={css['level']}>
                {t('level')}
              </span>
              {columns.map((field) => (
                <span key={field} role="columnheader" className={`clip ${css['column']}`}>
                  {field}
                </span>
              ))}
              <span role="columnheader" className={css['message']}>
                {t('message')}
              </span>
            </div>
          )}
          <div ref={viewRef} className={css['view']} role="presentation">
            <div ref={innerRef} className={css['inner']} role="rowgroup">
              {[...drawn].map(([number, record]) => (
                <div key={keyOf(number)} className={css['item']} role="presentation">
                  <LogRow
                    record={record}
                    number={number}
                    domId={`${base}${number}`}
                    open={open.has(number)}
                    active={active === number}
                    selected={isSelected(selection, number)}
                    pinned={pinned.has(number)}
                    found={goTo?.number === number}
                    columns={columns}
                    differing={differing(
                      record,
                      number > first ? () => drawn.get(number - 1) ?? buffer.record(number - 1) : null,
                      columns,
                    )}
                    colour={colour}
                    marks={isFound(number) ? marks : marks.find === null ? marks : withoutFind(marks)}
                    onToggle={toggle}
                  />
                  {open.has(number) && (
                    <div role="row">
                      <div role="gridcell">
                        <LogDetail
                          key={number}
                          record={record}
                          pinned={pinned.has(number)}
                          columns={columns}
                          onPin={() => onPin(number)}
                          onContext={() => onContext(number)}
                          onFilter={onFilter}
                          onColumn={onColumn}
                        />
                      </div>
                    </div>
                  )}
                </div>
              ))}
            </div>
          </div>
        </div>
      </div>
    </div>
  );
}

const bare = new WeakMap<Highlights, Highlights>();
function withoutFind(marks: Highlights): Highlights {
  let found = bare.get(marks);
  if (!found) bare.set(marks, (found = { needles: marks.needles, find: null }));
  return found;
}
