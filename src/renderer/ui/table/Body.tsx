import { type CSSProperties, memo, type MouseEvent, type ReactNode } from 'react';
import css from './DataTable.module.css';
import { t } from '../../../lib/language.ts';
import { pinOf } from './pins.ts';
import type { DataColumn } from './types.ts';

export interface BodyRowProps<T> {
  index: number;
  /** Pixels. */
  top: number;
  row: T;
  id: string;
  domId: string;
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

function Row<T>({ index, top, row, id, domId, columns, rowIndex, active, current, selected, tone, onClick, onSelect }: BodyRowProps<T>) {
  return (
    <div
      role="row"
      id={domId}
      aria-rowindex={rowIndex}
      aria-selected={selected}
      className={css['row']}
      data-row-id={id}
      data-active={active || undefined}
      data-current={current || undefined}
      data-tone={tone}
      style={{ transform: `translateY(${top}px)` } as CSSProperties}
      onClick={(event) => onClick(event, index)}
    >
      {selected !== undefined && (
        <div role="gridcell" className={css['check']}>
          <input type="checkbox" aria-label={t('Select {id}', { id })} tabIndex={-1} checked={selected} onClick={(event) => onSelect(index, event.shiftKey)} onChange={nothing} />
        </div>
      )}
      <Cells row={row} columns={columns} />
    </div>
  );
}

/** Apart from the row's place, so that rows which only move (a new one came in above) draw no cell again. */
const Cells = memo(function Cells<T>({ row, columns }: { row: T; columns: readonly DataColumn<T>[] }) {
  return columns.map((column, index) => {
    const content = column.cell(row);
    // Names come in any script: a right-to-left one stands right. What is cut shows whole on hover.
    return (
      <div key={column.id} role="gridcell" dir="auto" className={css['td']} data-align={column.align} data-pin={pinOf(columns, index)}>
        {typeof content === 'string' ? <span className="clip" title={content}>{content}</span> : content}
      </div>
    );
  });
}) as <T>(props: { row: T; columns: readonly DataColumn<T>[] }) => ReactNode;

// The click tells Shift apart, a change event does not; React wants both on a controlled box.
const nothing = () => undefined;

/** Drawn again only where its own row, place or marks changed. */
export const BodyRow = memo(Row, (a, b) => a.row === b.row && a.top === b.top && a.index === b.index && a.columns === b.columns && a.active === b.active && a.current === b.current && a.selected === b.selected && a.tone === b.tone && a.onClick === b.onClick && a.onSelect === b.onSelect) as typeof Row;
