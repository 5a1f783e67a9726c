import { useQueryClient } from '@tanstack/react-query';
import { t } from '../../../../lib/language.ts';
import { createDashboard, dashboardKeys, deleteDashboard, dashboardQuery } from '../../../api/dashboards.ts';
import { toastSuccess, toastError, toastFailure } from '../../../ui/toasts.tsx';

/** Deletes a dashboard; while the message about it shows, it can be brought back as it was. */
export function useDelete(): (id: string) => Promise<boolean> {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: dashboardKeys.all, exact: true });
  return async (id) => {
    try {
      const { definition } = await client.fetchQuery(dashboardQuery(id));
      await deleteDashboard(id);
      void refresh();
      const undo = async () => {
        await createDashboard(id, definition);
        await refresh();
        toastSuccess(t('{title} restored', { title: definition.title }));
      };
      toastSuccess(t('Deleted {title}', { title: definition.title }), '', {
        label: t('Undo'),
        run: () => void undo().catch(toastFailure(t('Could not restore the dashboard'))),
      });
      return true;
    } catch (error) {
      toastError(t('Could not delete the dashboard'), error);
      return false;
    }
  };
}
