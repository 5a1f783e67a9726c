import { IconGauge } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { updateWorkflow, workflowKeys } from '../../../api/workflows.ts';
import { useRights } from '../../../stores/role.ts';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { placeOf, whyNoRename } from '../../../stores/permissions.ts';
import { fetchWhenIdle } from '../../../ui/fetch-when-idle.ts';
import { limitsText } from '../../settings/limits-text.ts';

const loadDialog = () =>
  import('../../settings/RateLimitsDialog.tsx').then((file) => ({ default: file.RateLimitsDialog }));
/** With fields for numbers, which the builder does not need. */
const RateLimitsDialog = lazy(loadDialog);

/** The limits of a workflow, for all callers together. The button says which hold. */
export function WorkflowLimits({ workflow }: { workflow: Workflow }): ReactNode {
  const rights = useRights();
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  useEffect(() => fetchWhenIdle(loadDialog), []);
  const words = limitsText(workflow.limits);
  return (
    <>
      <ReasonButton
        variant="default"
        leftSection={<IconGauge size={16} aria-hidden="true" />}
        reason={workflow.archivedAt === null ? whyNoRename(rights, placeOf(workflow)) : t('The workflow is archived.')}
        hint={words ?? t('No limits')}
        onClick={() => setOpened(true)}
      >
        {words === null ? t('Limits') : t('Limits: {words}', { words })}
      </ReasonButton>
      {opened && (
        <Suspense>
          <RateLimitsDialog
            title={t('Limits for {id}', { id: workflow.id })}
            limits={workflow.limits}
            onClose={() => setOpened(false)}
            onSave={async (limits) => {
              await updateWorkflow(workflow.id, { limits });
              await client.invalidateQueries({ queryKey: workflowKeys.all });
              toastSuccess(
                t('Updated the limits of {id}', { id: workflow.id }),
                limitsText(limits) ?? t('No limits apply now.'),
              );
            }}
          />
        </Suspense>
      )}
    </>
  );
}
