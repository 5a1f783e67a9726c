import { memo, type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import css from './DataTable.module.css';
import { t } from '../../../lib/language.ts';
import { columnPin } from './pins.ts';
import type { DataColumn } from './types.ts';
import { useRowMotion } from './use-row-motion.ts';

export interface BodyRowProps<T> {
  index: number;
  /** Pixels. */
  top: number;
  /** Undefined while it is not read yet: a line stands in for its words. */
  row: T | undefined;
  id: string | undefined;
  /** It keeps its element, and is seen to move where it stands elsewhere than before. */
  moves: boolean;
  /** The list is at rest. */
  still: boolean;
  /** What the ids of the rows' elements begin with. */
  base: string;
  columns: readonly DataColumn<T>[];
  rowIndex: number;
  active: boolean;
  current: boolean;
  /** Undefined: rows cannot be selected. */
  selected: boolean | undefined;
  tone: 'danger' | 'muted' | undefined;
  onClick(event: MouseEvent<HTMLElement>, index: number): void;
  onSelect(index: number, range: boolean): void;
}

function Row<T>({
  index,
  top,
  row,
  id,
  moves,
  still,
  base,
  columns,
  rowIndex,
  active,
  current,
  selected,
  tone,
  onClick,
  onSelect,
}: BodyRowProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef(id);
  // The element goes on to show another row: the focus does not go along, or Enter would open what nobody chose.
  useLayoutEffect(() => {
    if (shown.current !== id && box.current?.contains(document.activeElement))
      box.current.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
    shown.current = id;
  }, [id]);
  useRowMotion(box, id, top, moves);
  // The cells stay for the next row while this one is read, out of sight.
  const cells = useRef(row);
  if (row !== undefined) cells.current = row;
  return (
    <div
      ref={box}
      role="row"
      {...(id === undefined
        ? { 'aria-busy': true, 'data-waits': true, ...(still ? { 'data-hides': true } : {}) }
        : { id: `${base}${id}`, 'data-row-id': id })}
      aria-rowindex={rowIndex}
      aria-selected={selected}
      className={css['row']}
      data-active={active || undefined}
      data-current={current || undefined}
      data-tone={tone}
      style={{ top }}
      onClick={(event) => onClick(event, index)}
    >
      {cells.current !== undefined && selected !== undefined && (
        <div role="gridcell" className={css['check']}>
          <input
            type="checkbox"
            aria-label={t('Select {id}', { id: id ?? '' })}
            tabIndex={-1}
            checked={selected}
            onClick={(event) => onSelect(index, event.shiftKey)}
            onChange={nothing}
          />
        </div>
      )}
      {cells.current !== undefined && <Cells row={cells.current} id={id} columns={columns} />}
    </div>
  );
}

/** Apart from the row's place, so that rows which only move (a new one came in above) draw no cell again. */
const Cells = memo(function Cells<T>({
  row,
  id,
  columns,
}: {
  row: T;
  id: string | undefined;
  columns: readonly DataColumn<T>[];
}) {
  return columns.map((column, index) => {
    const content = column.cell(row);
    const fits = typeof column.fits === 'function' ? column.fits(row) : column.fits;
    // Names come in any script: a right-to-left one stands right. What is cut shows whole on hover. What surely fits is the
    // console's own words, or Latin: its direction need not be found out.
    return (
      <div
        // What can be done to a row is made anew for each: a menu that is open, or an action under way, never goes over to another one.
        key={column.pin === 'end' && column.stateless !== true ? `${column.id} ${id}` : column.id}
        role="gridcell"
        className={`clip ${css['td']}`}
        data-align={column.align}
        data-pin={columnPin(columns, index)}
        {...(fits ? { 'data-fits': true } : { dir: 'auto' })}
      >
        {typeof content === 'string' ? (
          <span className="clip" title={content}>
            {content}
          </span>
        ) : (
          content
        )}
      </div>
    );
  });
}) as <T>(props: { row: T; id: string | undefined; columns: readonly DataColumn<T>[] }) => ReactNode;

// The click tells Shift apart, a change event does not; React wants both on a controlled box.
const nothing = () => undefined;

/** Drawn again only where its own row, place or marks changed. */
export const BodyRow = memo(
  Row,
  (a, b) =>
    a.row === b.row &&
    a.id === b.id &&
    (b.id !== undefined || a.still === b.still) &&
    a.top === b.top &&
    a.index === b.index &&
    a.columns === b.columns &&
    a.active === b.active &&
    a.current === b.current &&
    a.selected === b.selected &&
    a.tone === b.tone &&
    a.onClick === b.onClick &&
    a.onSelect === b.onSelect,
) as typeof Row;
