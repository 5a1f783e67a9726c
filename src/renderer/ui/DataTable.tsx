import { Skeleton } from '@mantine/core';
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { t } from '../../lib/language.ts';
import { ErrorState } from './ErrorState.tsx';
import { useLongScroll } from './use-long-scroll.ts';
import { useUiSettings } from './settings.tsx';
import { StaleBanner } from './StaleBanner.tsx';
import { useBlankColumns } from './table/blank-columns.ts';
import { BodyRow } from './table/Body.tsx';
import { headCheckbox, selectMore } from './table/head-checkbox.ts';
import css from './table/DataTable.module.css';
import { InfiniteScrollFooter } from './table/InfiniteScrollFooter.tsx';
import { Head } from './table/Head.tsx';
import { headMeasure } from './table/head-width.ts';
import { Pager } from './table/Pager.tsx';
import { columnPin, usePinned } from './table/pins.ts';
import { assignRowSlots, type RowSlot } from './table/row-slots.ts';
import { columnTracks } from './table/tracks.ts';
import type { DataColumn, DataTableProps } from './table/types.ts';
import { drawnWidths, useColumnDrag } from './table/use-column-drag.ts';
import { useRows } from './table/use-rows.ts';
import { useWidths } from './table/widths.ts';

export type { DataColumn, InfiniteRows } from './table/types.ts';

const ROW_HEIGHT = { compact: 28, regular: 36, comfortable: 46 } as const;
const CHECK_WIDTH = 36;
/** Ctrl+A, but not that of a text in a field. */
const isSelectAll = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) &&
  !altKey &&
  key.toLowerCase() === 'a' &&
  !(target instanceof Element && target.matches('input:not([type="checkbox"]), textarea'));
/** Pixels of each further line of a row. */
const LINE = 13;
/** Pixels of the head. */
const HEAD = 33;
/** Rows that are drawn above and below those in sight. */
const AROUND = 8;
const NO_ROWS: readonly never[] = [];

/**
 * The table of every list: pages (or the rows in sight of a list without pages) and order come from the server, only what is
 * in sight is drawn. Loading, empty,
 * failed and stale are shown in place, and what is already there stays while it is read again.
 */
export function DataTable<T>(props: DataTableProps<T>) {
  const {
    label,
    columns,
    rowId,
    query,
    what,
    page,
    sort,
    selection,
    onOpen,
    current,
    rowTone,
    hidden,
    empty,
    storageKey,
    endless,
    stateless = false,
    lines = 1,
    fill = false,
    maxHeight,
  } = props;
  const rows: readonly T[] = props.rows ?? NO_ROWS;
  const reuses = endless !== undefined || stateless;
  const total = endless?.total ?? rows.length;
  const atOf = endless?.at;
  const range = endless?.range;
  const at = (index: number): T | undefined => (atOf ? atOf(index) : rows[index]);
  const { density } = useUiSettings();
  const rowHeight = ROW_HEIGHT[density] + (lines - 1) * LINE;
  const scroll = useRef<HTMLDivElement>(null);
  const base = useId();
  const [widths, setWidths] = useWidths(storageKey);

  const [measure] = useState(() => headMeasure(document));
  const sorts = sort !== undefined;
  const own = useMemo(
    () =>
      new Map(
        columns.map((column) => [
          column.id,
          Math.max(column.width, measure(column.header, sorts && column.sortKey !== undefined)),
        ]),
      ),
    [columns, measure, sorts],
  );
  const { blank, look } = useBlankColumns(columns, endless?.version ?? '', storageKey);
  const sortedBy = sort?.value.split(',')[0];
  const unseen = new Set([
    ...(hidden ?? []),
    ...blank.filter((id) => columns.find((column) => column.id === id)?.sortKey !== sortedBy || sortedBy === undefined),
  ]);
  const shownKey = columns.flatMap(({ id }) => (unseen.has(id) ? [] : [id])).join(' ');
  // What fits a column need not fit one that was made narrower.
  const shown = useShown(
    columns,
    shownKey,
    columns.flatMap(({ id, width }) => ((widths[id] ?? width) < width ? [id] : [])).join(' '),
  );
  const { held, dragged, begin } = useColumnDrag(shown, (id, pixels) => setWidths((old) => ({ ...old, [id]: pixels })));
  const widthOf = (column: DataColumn<T>) => widths[column.id] ?? held[column.id] ?? own.get(column.id) ?? column.width;
  const template = [
    ...(selection ? [`${CHECK_WIDTH}px`] : []),
    ...columnTracks(
      shown.map((column) => ({
        ...column,
        width: widthOf(column),
        fixed: (widths[column.id] ?? held[column.id]) !== undefined,
      })),
    ),
  ].join(' ');

  const { pinned, style } = usePinned(scroll, shown, widthOf, selection ? CHECK_WIDTH : 0);

  const { first, last, still, seen, fits, track, layerRef, topOf, reveal } = useLongScroll({
    scrollRef: scroll,
    count: total,
    rowHeight,
    above: HEAD,
    around: AROUND,
    name: storageKey ?? label,
  });
  const { active, said, select, onKeyDown, onRowClick } = useRows(
    props,
    { total, at, first, last, range: range ?? (async (from, to) => rows.slice(from, to + 1)) },
    reveal,
  );
  const inDocument = useRef<readonly RowSlot[]>([]);
  const rowsShown = assignRowSlots(
    first,
    last,
    (index) => {
      const row = at(index);
      return row === undefined ? undefined : rowId(row);
    },
    inDocument.current,
    still || !reuses,
  );
  inDocument.current = rowsShown;
  useLayoutEffect(() => look(endless ? rowsShown.map(({ index }) => at(index)) : rows));
  const onSight = endless?.onSight;
  useEffect(() => {
    if (total > 0) onSight?.(first, last, seen);
  }, [onSight, total > 0, first, last, seen]);
  // Other rows begin at the top; those of an address that names a row begin there.
  const begun = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (endless === undefined || total === 0 || begun.current === endless.version) return;
    const again = begun.current !== null;
    begun.current = endless.version;
    if (again || endless.start > 0) reveal(again ? 0 : endless.start, true);
  }, [endless?.version, total]);

  // Handed to memoised rows: the same functions for good, the newest behaviour behind them.
  const latest = useRef({ select, onRowClick, reveal });
  latest.current = { select, onRowClick, reveal };
  const clickRow = useCallback(
    (event: MouseEvent<HTMLElement>, index: number) => latest.current.onRowClick(event, index),
    [],
  );
  const goTo = useCallback((index: number) => latest.current.reveal(index, true), []);
  const selectRow = useCallback((index: number, range: boolean) => latest.current.select(index, range), []);

  const everything = selection?.everything;
  const isAny = total > 0;
  // Those in sight: one that is half hidden below is not.
  const sightIds = (): string[] =>
    endless
      ? Array.from({ length: Math.min(fits, total - seen) }, (_, i) => at(seen + i)).flatMap((row) =>
          row === undefined ? [] : [rowId(row)],
        )
      : rows.map(rowId);
  // Only with something selected does the box change as the rows pass under it.
  const checked = selection && selection.selected.size > 0 ? sightIds().join(' ') : '';
  const inSight = useRef(sightIds);
  inSight.current = sightIds;
  // Scrolling draws the table again with each row that comes into sight, the head not.
  const head = useMemo(
    () => (
      <Head
        sort={sort}
        check={
          selection && {
            ...headCheckbox(selection, sightIds(), endless !== undefined),
            toggle: () => headCheckbox(selection, inSight.current(), endless !== undefined).toggle(),
          }
        }
        cells={shown.map((column, index) => ({
          column,
          resizing: column.id === dragged,
          onResize: (event) => begin(event, column.id),
          onNudge: (pixels, edge) =>
            setWidths((old) => ({
              ...old,
              [column.id]: Math.max(
                column.minWidth ?? 48,
                (drawnWidths(edge, shown)[column.id] ?? widthOf(column)) + pixels,
              ),
            })),
          width: widthOf(column),
          pin: columnPin(shown, index),
        }))}
      />
    ),
    [sort, selection, rows, isAny, checked, shown, widths, held, dragged],
  );

  const failed = query.error !== null && query.error !== undefined;
  const has = total > 0;
  // A list that was never read is not an empty one.
  const there = endless
    ? has || (!query.isPending && !(failed && query.dataUpdatedAt === 0))
    : props.rows !== undefined;
  const activeRow = active >= 0 ? at(active) : undefined;
  const firstRow = (page ? page.page * page.size : 0) + 2;
  const refetch = () => void query.refetch();
  return (
    <div
      className={`card ${css['box']} ${fill ? css['fill'] : ''} ${onOpen ? css['opens'] : ''} ${query.isPlaceholderData ? css['old'] : ''}`}
    >
      {failed && there && (
        <div className={css['stale']}>
          <StaleBanner error={query.error} updatedAt={query.dataUpdatedAt} onRetry={refetch} />
        </div>
      )}
      <div
        ref={scroll}
        role="grid"
        aria-label={label}
        aria-rowcount={(page?.totalItems ?? total) + 1}
        aria-multiselectable={selection ? true : undefined}
        aria-activedescendant={activeRow === undefined ? undefined : `${base}${rowId(activeRow)}`}
        aria-busy={query.isFetching && !has}
        tabIndex={0}
        data-table
        {...(endless ? { 'data-own-place': true } : {})}
        data-rows={has}
        data-pinned={pinned === 'none' ? undefined : pinned}
        className={css['scroll']}
        style={{
          '--template': template,
          ...style,
          ...(lines > 1 ? { '--row-height': `${rowHeight}px` } : {}),
          maxHeight: fill ? undefined : maxHeight,
        }}
        onKeyDown={(event) => {
          if (!selection || !isSelectAll(event)) return onKeyDown(event);
          event.preventDefault();
          selectMore(selection, inSight.current());
        }}
      >
        {query.isPlaceholderData && query.isFetching && <div className={css['working']} role="presentation" />}
        {head}
        {has && (
          <div role="presentation" className={css['body']} style={{ height: track }}>
            <div role="rowgroup" ref={layerRef}>
              {rowsShown.map(({ slot, index, id }) => {
                const row = at(index);
                return (
                  <BodyRow
                    key={reuses ? slot : (id ?? index)}
                    index={index}
                    top={topOf(index)}
                    row={row}
                    id={id}
                    moves={!reuses}
                    still={still}
                    base={base}
                    columns={shown}
                    rowIndex={firstRow + index}
                    active={index === active}
                    current={id !== undefined && id === current}
                    selected={
                      selection && (everything?.on === true || (id !== undefined && selection.selected.has(id)))
                    }
                    tone={row === undefined ? undefined : rowTone?.(row)}
                    onClick={clickRow}
                    onSelect={selectRow}
                  />
                );
              })}
            </div>
          </div>
        )}
      </div>
      {!has && (
        <div className={css['state']}>
          {failed && !there ? (
            <ErrorState error={query.error} what={what} onRetry={refetch} />
          ) : query.isPending ? (
            <SkeletonRows count={fill ? 14 : Math.min(page?.size ?? 6, 6)} />
          ) : (
            empty
          )}
        </div>
      )}
      {page && (
        <Pager page={page} shown={rows.length} selected={selection?.selected.size ?? 0} known={!query.isPending} />
      )}
      {endless && (
        <InfiniteScrollFooter
          seen={seen}
          fits={fits}
          total={total}
          selected={everything?.on ? total : (selection?.selected.size ?? 0)}
          known={!query.isPending}
          onGo={goTo}
        />
      )}
      {selection && (
        <span role="status" className="visually-hidden">
          {said}
        </span>
      )}
    </div>
  );
}

/** The columns of these ids, some of them `narrowed`; the same list as long as nothing about it changes, so that rows are not drawn anew. */
function useShown<T>(columns: readonly DataColumn<T>[], ids: string, narrowed: string): readonly DataColumn<T>[] {
  return useMemo(() => {
    const narrow = new Set(narrowed.split(' '));
    return ids
      .split(' ')
      .flatMap((id) => columns.find((column) => column.id === id) ?? [])
      .map((column) => (narrow.has(column.id) && column.fits ? { ...column, fits: false } : column));
  }, [ids, narrowed, columns]);
}

function SkeletonRows({ count }: { count: number }) {
  return (
    <div className={css['skeletons']} role="status" aria-label={t('Loading')}>
      {Array.from({ length: count }, (_, i) => (
        <div key={i}>
          <Skeleton height={12} width={`${88 - ((i * 17) % 40)}%`} />
        </div>
      ))}
    </div>
  );
}
