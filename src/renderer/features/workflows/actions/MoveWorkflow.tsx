import { Select } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DEFAULT_PROJECT } from '../../../../contract/actions.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { projectKeys } from '../../../api/projects.ts';
import { updateWorkflow, workflowKeys } from '../../../api/workflows.ts';
import { may, placeOf, whyNoMove } from '../../../stores/permissions.ts';
import { useRights } from '../../../stores/role.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { useProjects } from '../../../stores/projects.ts';

/** The project of a workflow, and the way to another one; nothing where there is only one project. */
export function MoveWorkflow({ workflow }: { workflow: Workflow }): ReactNode {
  const rights = useRights();
  const projects = useProjects();
  const [opened, setOpened] = useState(false);
  const { project } = placeOf(workflow);
  if (projects.length === 0) return null;
  const others = projects.filter(({ id }) => id !== project).map(({ id }) => id);
  return (
    <>
      <ReasonButton
        variant="default"
        leftSection={<IconFolder size={16} aria-hidden="true" />}
        reason={
          workflow.archivedAt === null ? whyNoMove(rights, placeOf(workflow), others) : t('The workflow is archived.')
        }
        hint={t('Move to another project')}
        onClick={() => setOpened(true)}
      >
        {t('Project: {project}', { project })}
      </ReasonButton>
      {opened && <Form workflow={workflow} others={others} onClose={() => setOpened(false)} />}
    </>
  );
}

function Form({
  workflow,
  others,
  onClose,
}: {
  workflow: Workflow;
  others: readonly string[];
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const rights = useRights();
  const [to, setTo] = useState<string | null>(null);
  return (
    <FormDialog
      title={t('Move {id} to another project', { id: workflow.id })}
      submitLabel={t('Move workflow')}
      disabled={to === null}
      onClose={onClose}
      onSubmit={async () => {
        if (to === null) return;
        await updateWorkflow(workflow.id, { project: to });
        await Promise.all(
          [workflowKeys.all, projectKeys.projects].map((queryKey) => client.invalidateQueries({ queryKey })),
        );
        toastSuccess(t('{id} is in project {project}', { id: workflow.id, project: to }));
        onClose();
      }}
    >
      <p>
        {t(
          'Its versions, jobs, payloads and logs move along: whoever has a role in {project} alone sees them no longer.',
          { project: workflow.project ?? DEFAULT_PROJECT },
        )}
      </p>
      <Select
        label={t('Project')}
        data={others.map((id) => {
          const isAllowed = may(rights, 'workflows.write', { project: id, environment: null });
          return {
            value: id,
            label: isAllowed ? id : t('{id}: you may not change workflows there', { id }),
            disabled: !isAllowed,
          };
        })}
        value={to}
        onChange={setTo}
        searchable
        data-autofocus
        required
      />
    </FormDialog>
  );
}
