import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { withoutUndefined } from '../../../../lib/without-undefined.ts';
import type { JobFilters } from '../../../api/operations.ts';
import { ViewMenu } from '../../../shell/saved-views/ViewMenu.tsx';
import { type JobsSearch, parseJobsSearch } from '../jobs-list-search.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import { t } from '../../../../lib/language.ts';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { downloadUrl } from '../../../ui/download-url.ts';
import { exportForms, ExportMenu } from './ExportMenu.tsx';
import type { ChosenColumns } from './use-columns.ts';

const route = getRouteApi('/jobs');

/** Saved views, export and columns of the list of jobs. */
export function JobsTools({
  search,
  columns,
  onColumns,
  filters,
  count,
}: {
  search: JobsSearch;
  columns: ChosenColumns;
  onColumns(next: Partial<ChosenColumns> | undefined): void;
  filters: JobFilters;
  count: number | undefined;
}): ReactNode {
  const navigate = route.useNavigate();
  useCommands(
    exportForms(filters).map(({ name, href, file }) => ({
      label: t('Export matching jobs as {form}', { form: name }),
      run: () => downloadUrl(href, file),
    })),
  );
  return (
    <>
      <ViewMenu
        page="jobs"
        search={{ ...search, ...columns, row: undefined }}
        onOpen={(view) => void navigate({ search: parseJobsSearch(view) })}
      />
      <ExportMenu filters={filters} count={count} />
      <ColumnMenu
        columns={columns}
        onChange={(next) => {
          onColumns(next);
          if (search.hide || search.order)
            void navigate({
              search: (old) => withoutUndefined({ ...old, hide: undefined, order: undefined }),
              replace: true,
              resetScroll: false,
            });
        }}
      />
    </>
  );
}
