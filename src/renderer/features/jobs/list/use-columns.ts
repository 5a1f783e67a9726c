import { useState } from 'react';
import { isRecord } from '../../../../lib/is-record.ts';
import { columnsIn, HIDDEN_COLUMNS, JOB_COLUMNS, type JobColumn, type JobsSearch } from '../jobs-list-search.ts';

const KEY = 'yardmaster.columns.jobs';

export interface ChosenColumns {
  readonly hide: readonly JobColumn[];
  readonly order: readonly JobColumn[];
}

/** The columns that are chosen: by the address, else as they were left in this browser, else the usual ones. */
export function useColumns(
  search: Pick<JobsSearch, 'hide' | 'order'>,
): [columns: ChosenColumns, keep: (next: Partial<ChosenColumns> | undefined) => void] {
  const [kept, setKept] = useState(read);
  const columns = {
    hide: search.hide ?? kept.hide ?? HIDDEN_COLUMNS,
    order: search.order ?? kept.order ?? JOB_COLUMNS,
  };
  return [
    columns,
    (next) => {
      const all = next === undefined ? {} : columnsIn({ ...columns, ...next });
      setKept(all);
      try {
        if (next === undefined) localStorage.removeItem(KEY);
        else localStorage.setItem(KEY, JSON.stringify(all));
      } catch {
        // They last for this window then.
      }
    },
  ];
}

function read(): Pick<JobsSearch, 'hide' | 'order'> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return isRecord(kept) ? columnsIn(kept) : {};
  } catch {
    return {};
  }
}
