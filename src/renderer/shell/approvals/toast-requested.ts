import type { QueryClient } from '@tanstack/react-query';
import { t } from '../../../lib/language.ts';
import { approvalKeys } from '../../api/approvals.ts';
import { toastSuccess } from '../../ui/toasts.tsx';

/** Says that what was asked for waits for a second person. */
export async function toastRequested(client: QueryClient): Promise<void> {
  toastSuccess(t('Approval requested'), t('Nothing was changed yet. Another person must approve it; see Approvals.'));
  await client.invalidateQueries({ queryKey: approvalKeys.all });
}
