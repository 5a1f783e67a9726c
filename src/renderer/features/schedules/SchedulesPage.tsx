import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { Page } from '../../ui/Page.tsx';
import { ScheduleList } from './ScheduleList.tsx';

const route = getRouteApi('/schedules');

/** Workflows that start by themselves, of all workflows. */
export function SchedulesPage(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page fill>
      <ScheduleList
        title={t('Schedules')}
        environment={search.env}
        workflowId={search.workflow}
        place={{ page: search.page ?? 0, size: search.size ?? 50 }}
        opened={search.schedule}
        onPlace={(change) => void navigate({ search: { ...search, ...change } })}
        onOpen={(schedule) =>
          void navigate({
            search: ({ schedule: _schedule, ...rest }) => (schedule === null ? rest : { ...rest, schedule }),
          })
        }
      />
    </Page>
  );
}
