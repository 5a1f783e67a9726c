import type { ReactNode } from 'react';

export interface DataColumn<T> {
  id: string;
  header: string;
  cell(row: T): ReactNode;
  /** Pixels; what the viewer dragged is kept over it. */
  width: number;
  minWidth?: number;
  /** May be wider than `width` where there is room: the pixels that its content is worth, or `true` for two and a half times the width. */
  grow?: boolean | number;
  align?: 'right';
  /**
   * Stays in sight where the table is wider than its box: `end`, the last column, holds what can be done to a row. The first
   * column stays by itself; a second one says `start`.
   */
  pin?: 'start' | 'end';
  /** Of a column that is pinned to the end: it keeps nothing of its row either, so its elements go on to show another one too. */
  stateless?: boolean;
  /**
   * What is in it is never wider than `width`, or cuts itself off. A cell that need not cut anything off is drawn in less
   * time: where none of a long list has to, it scrolls by a quarter more frames.
   */
  fits?: boolean | ((row: T) => boolean);
  /** There is nothing in the cell of this row. A column that is blank in every row that was seen gives its room to the others. */
  blank?(row: T): boolean;
  /** The API's name for sorting by it; absent: not sortable. */
  sortKey?: string;
}

/** The part of a query's result that a table shows; a `useQuery` result fits. */
export interface TableQuery {
  isPending: boolean;
  isFetching: boolean;
  isPlaceholderData?: boolean;
  error: unknown;
  dataUpdatedAt: number;
  refetch(): unknown;
}

export interface TablePage {
  page: number;
  size: number;
  totalItems: number;
  totalPages: number;
  onPage(page: number): void;
  onSize(size: number): void;
}

export interface TableSort {
  /** `createdAt,desc` */
  value: string;
  onSort(value: string): void;
}

/** Rows of any number instead of pages: the table scrolls through all of them and tells what is in sight, to be read. */
export interface InfiniteRows<T> {
  readonly total: number;
  /** Undefined while it is not read yet: a line without words stands in. */
  at(index: number): T | undefined;
  /** Rows that are drawn now, from `first` to before `last`, and the first one that is seen. */
  onSight(first: number, last: number, seen: number): void;
  /** The rows of a range, read where they are not here; null where they are too many. */
  range(first: number, last: number): Promise<readonly T[] | null>;
  /** Row at the upper edge to begin with. */
  readonly start: number;
  /** Another value: other rows, which begin at the top. */
  readonly version: string;
}

export interface TableSelection {
  selected: ReadonlySet<string>;
  onChange(next: ReadonlySet<string>): void;
  /** Every row there is was selected, by a step of its own: the box in the head stands for the rows in sight, and clears that. */
  readonly everything?: { readonly on: boolean; clear(): void; select(): void };
}

export interface DataTableProps<T> {
  /** Accessible name. */
  label: string;
  columns: readonly DataColumn<T>[];
  rows?: readonly T[] | undefined;
  /** Instead of `rows` and `page`. */
  endless?: InfiniteRows<T>;
  rowId(row: T): string;
  query: TableQuery;
  /** Said where reading fails: 'The jobs could not be read'. */
  what: string;
  page?: TablePage;
  sort?: TableSort;
  selection?: TableSelection;
  onOpen?(row: T): void;
  /** Id of the row that is open beside the table. */
  current?: string | undefined;
  rowTone?(row: T): 'danger' | 'muted' | undefined;
  hidden?: readonly string[];
  /**
   * Of a long page: no cell keeps what it shows beyond its row but those of the last, pinned column (a menu that is open). Rows that are
   * scrolled into sight are then drawn in the elements of those that went out, in a third of the time. An endless list always is.
   */
  stateless?: boolean;
  /** Lines of text in a row, where it is more than one. */
  lines?: number;
  empty: ReactNode;
  storageKey?: string;
  /** Fill the height that is left (in a `Page fill`); else as high as its rows, up to `maxHeight`. */
  fill?: boolean;
  maxHeight?: number;
}
