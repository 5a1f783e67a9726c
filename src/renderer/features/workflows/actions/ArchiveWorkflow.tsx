import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { archiveWorkflow, workflowKeys } from '../../../api/workflows.ts';
import { useRights } from '../../../stores/role.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { placeOf, whyNoArchive } from '../../../stores/permissions.ts';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';

/** Archives a workflow after asking once; says what its callers will get. `compact`: an icon, for a row of a table. */
export function ArchiveWorkflow({ workflow, compact = false }: { workflow: Workflow; compact?: boolean }): ReactNode {
  const rights = useRights();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const reason =
    workflow.archivedAt === null ? whyNoArchive(rights, placeOf(workflow)) : t('The workflow is already archived.');
  const live = workflow.environments.filter((pointer) => pointer.hash !== null).map((pointer) => pointer.environment);
  const archive = async () => {
    await archiveWorkflow(workflow.id);
    await client.invalidateQueries({ queryKey: workflowKeys.all });
    toastSuccess(t('Archived {id}', { id: workflow.id }), t('Its versions and publish history are kept.'));
  };
  return (
    <>
      {compact ? (
        <Tooltip label={reason ?? t('Archive {id}', { id: workflow.id })} maw={300}>
          <ActionIcon
            aria-label={t('Archive {id}', { id: workflow.id })}
            {...(reason === null ? {} : { 'data-disabled': true, 'aria-disabled': true })}
            onClick={(event) => {
              event.stopPropagation();
              if (reason === null) setAsking(true);
            }}
          >
            <IconArchive size={16} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      ) : (
        <ReasonButton
          variant="default"
          leftSection={<IconArchive size={16} aria-hidden="true" />}
          reason={reason}
          onClick={() => setAsking(true)}
        >
          {t('Archive')}
        </ReasonButton>
      )}
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('Archive {id}?', { id: workflow.id })}
        confirmLabel={t('Archive')}
        danger
        onConfirm={archive}
      >
        <Text size="sm">
          {live.length === 0
            ? t('It is not published in any environment.')
            : t('It is published in {environments}. Callers will get 404 WORKFLOW_NOT_FOUND immediately.', {
                environments: live.join(', '),
              })}{' '}
          {t('Its history is kept, and its ID cannot be reused.')}
        </Text>
      </ConfirmAction>
    </>
  );
}
