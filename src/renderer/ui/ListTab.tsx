import { IconPlus, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DataTable } from './DataTable.tsx';
import { EmptyState } from './EmptyState.tsx';
import css from './ListTab.module.css';
import { ReasonButton } from './ReasonButton.tsx';
import { type ListPage, paged } from './table/pages.ts';
import type { DataTableProps, TableQuery } from './table/types.ts';

export interface ListTabProps<T> extends Omit<DataTableProps<T>, 'rows' | 'query' | 'page' | 'fill' | 'empty'> {
  /** What the list is for. */
  readonly intro: ReactNode;
  /** The button that adds to it; `why`: why it cannot be pressed. */
  readonly add: { readonly label: string; readonly why: string | undefined; run(): void };
  readonly query: TableQuery & { readonly data: ListPage<T> | undefined };
  readonly place: { readonly page: number; readonly size: number };
  onPlace(change: { page: number; size?: number }): void;
  readonly empty: { readonly icon: TablerIcon; readonly title: string; readonly text?: string };
}

/** A list in pages that fills its tab, with what it is for and the button that adds to it above. */
export function ListTab<T>({ intro, add, query, place, onPlace, empty, ...table }: ListTabProps<T>): ReactNode {
  const button = (
    <ReasonButton leftSection={<IconPlus size={14} aria-hidden />} reason={add.why ?? null} onClick={add.run}>
      {add.label}
    </ReasonButton>
  );
  return (
    <>
      <div className={css['bar']}>
        <span className="dim">{intro}</span>
        {button}
      </div>
      <DataTable
        fill
        {...paged(query, place, onPlace)}
        empty={
          <EmptyState icon={empty.icon} title={empty.title} action={button}>
            {empty.text}
          </EmptyState>
        }
        {...table}
      />
    </>
  );
}
