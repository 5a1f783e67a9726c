import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import css from './DataTable.module.css';
import { t } from '../../../lib/language.ts';
import type { PointerEvent } from 'react';
import type { DataColumn, TableSort } from './types.ts';

export interface HeadCell<T> {
  column: DataColumn<T>;
  resizing: boolean;
  /** Starts dragging the edge. */
  onResize(event: PointerEvent<HTMLElement>): void;
  /** Arrow keys on the edge: by so many pixels, from as wide as it is drawn. */
  onNudge(pixels: number, edge: Element): void;
  width: number;
  /** As of `columnPin`. */
  pin: string | undefined;
}
export interface HeadProps<T> {
  cells: readonly HeadCell<T>[];
  sort: TableSort | undefined;
  /** Absent: rows cannot be selected. */
  check: { label: string; any: boolean; all: boolean; some: boolean; toggle(): void } | undefined;
}

export function Head<T>({ cells, sort, check }: HeadProps<T>) {
  return (
    <div role="rowgroup" className={css['head']}>
      <div role="row" className={css['row']} aria-rowindex={1}>
        {check && (
          <div role="columnheader" className={css['check']} aria-label={t('Selection')}>
            <input
              type="checkbox"
              aria-label={check.label}
              checked={check.all}
              disabled={!check.any}
              ref={(box) => {
                if (box) box.indeterminate = check.some && !check.all;
              }}
              onChange={check.toggle}
            />
          </div>
        )}
        {cells.map((cell) => (
          <HeadOf key={cell.column.id} {...cell} sort={sort} />
        ))}
      </div>
    </div>
  );
}

function HeadOf<T>({
  column,
  resizing,
  onResize,
  onNudge,
  width,
  pin,
  sort,
}: HeadCell<T> & { sort: TableSort | undefined }) {
  const [field, direction] = sort?.value.split(',') ?? [];
  const sorted = sort !== undefined && column.sortKey !== undefined && field === column.sortKey;
  const descending = sorted && direction === 'desc';
  const Icon = !sorted ? IconArrowsSort : descending ? IconArrowDown : IconArrowUp;
  const sortable = sort !== undefined && column.sortKey !== undefined;
  return (
    <div
      role="columnheader"
      aria-label={column.header || (column.id === 'actions' ? t('Actions') : undefined)}
      className={css['th']}
      data-column={column.id}
      data-align={column.align}
      data-pin={pin}
      {...(sorted ? { 'aria-sort': descending ? 'descending' : 'ascending' } : {})}
    >
      {sortable ? (
        <button
          type="button"
          className={css['sort']}
          data-sorted={sorted || undefined}
          onClick={() => sort.onSort(`${column.sortKey},${descending ? 'asc' : 'desc'}`)}
        >
          <span className="clip">{column.header}</span>
          <Icon size={12} aria-hidden />
        </button>
      ) : (
        <span className="clip">{column.header}</span>
      )}
      <span
        role="separator"
        tabIndex={-1}
        aria-orientation="vertical"
        aria-label={column.header === '' ? t('Column width') : t('Width of {header}', { header: column.header })}
        aria-valuenow={Math.round(width)}
        className={css['resize']}
        data-active={resizing || undefined}
        onPointerDown={onResize}
        onKeyDown={(event) => {
          const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          onNudge(step, event.currentTarget);
        }}
      />
    </div>
  );
}
