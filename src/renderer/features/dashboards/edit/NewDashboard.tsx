import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { DashboardDefinition } from '../../../../contract/dashboards.ts';
import { DASHBOARD_ID } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { createDashboard, dashboardKeys } from '../../../api/dashboards.ts';
import { inProject, ownProject } from '../../../stores/permissions.ts';
import { useRights } from '../../../stores/role.ts';
import { ProjectField } from '../../settings/ProjectField.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { idFromName } from '../../../ui/ids.ts';
import { bindText } from '../../../ui/bind.ts';

export interface NewDashboardProps {
  /** `New dashboard`, `Copy of …` */
  readonly heading: string;
  readonly definition: DashboardDefinition;
  /** What the fields hold at first. */
  readonly title: string;
  onClose(): void;
  /** Before the new one is opened. */
  onMade?(): void;
}

/** Names a dashboard, makes it and opens it for editing. */
export function NewDashboard({ heading, definition, title: first, onClose, onMade }: NewDashboardProps): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [title, setTitle] = useState(first);
  const [typedId, setTypedId] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const rights = useRights();
  const [project, setProject] = useState(() => ownProject(rights, 'dashboards.write'));
  const id = typedId ?? idFromName(title);
  const fault = new RegExp(DASHBOARD_ID).test(id)
    ? null
    : t('Lowercase letters, digits and hyphens, max. 64. Must start with a letter or digit.');
  const send = async () => {
    const made = await createDashboard(id, { ...definition, title: title.trim() }, inProject(project));
    client.setQueryData(dashboardKeys.one(id), made);
    void client.invalidateQueries({ queryKey: dashboardKeys.all, exact: true });
    toastSuccess(t('Created {title}', { title: made.definition.title }));
    onMade?.();
    await navigate({ to: '/dashboards/$dashboardId', params: { dashboardId: id }, search: { edit: 'form' } });
    onClose();
  };
  return (
    <FormDialog
      title={heading}
      onClose={onClose}
      onSubmit={() => (setTried(true), title.trim() === '' || fault !== null ? null : send())}
    >
      <TextInput
        label={t('Title')}
        maxLength={200}
        {...bindText(title, setTitle)}
        data-autofocus
        error={tried && title.trim() === '' ? t('Title is required') : null}
      />
      <TextInput
        label={t('ID')}
        description={t("Part of the URL. Can't be changed later.")}
        spellCheck={false}
        {...bindText(id, setTypedId)}
        error={tried || typedId !== null ? fault : null}
      />
      <ProjectField
        action="dashboards.write"
        description={t('Who may see and change it')}
        value={project}
        onChange={setProject}
      />
    </FormDialog>
  );
}
