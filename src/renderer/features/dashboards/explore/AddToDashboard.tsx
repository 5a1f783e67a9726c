import { Select, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Panel } from '../../../../contract/dashboards.ts';
import { t } from '../../../../lib/language.ts';
import { dashboardKeys, dashboardQuery, dashboardsQuery, updateDashboard } from '../../../api/dashboards.ts';
import { newPanel } from '../edit/layout.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { bindText } from '../../../ui/bind.ts';

/** Puts a panel at the foot of one of the own dashboards. */
export function AddToDashboard({ panel, onClose }: { panel: Panel; onClose(): void }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data } = useQuery(dashboardsQuery());
  const own = (data?.items ?? []).filter(({ builtIn }) => !builtIn);
  const [id, setId] = useState<string | null>(null);
  const [title, setTitle] = useState(panel.title);
  const send = async (target: string) => {
    const { definition, version } = await client.fetchQuery({ ...dashboardQuery(target), staleTime: 0 });
    const made: Panel = {
      ...panel,
      id: newPanel(definition.panels).id,
      title: title.trim(),
      grid: newPanel(definition.panels).grid,
    };
    client.setQueryData(
      dashboardKeys.one(target),
      await updateDashboard(target, { ...definition, panels: [...definition.panels, made] }, version ?? 1),
    );
    void client.invalidateQueries({ queryKey: dashboardKeys.all, exact: true });
    toastSuccess(t('Added to {title}', { title: definition.title }), '', {
      label: t('Open'),
      run: () => void navigate({ to: '/dashboards/$dashboardId', params: { dashboardId: target } }),
    });
    onClose();
  };
  return (
    <FormDialog
      title={t('Add to dashboard')}
      onClose={onClose}
      disabled={id === null || title.trim() === ''}
      onSubmit={() => (id === null ? null : send(id))}
    >
      {data && own.length === 0 && (
        <Text size="sm">{t('You have no dashboards of your own yet. Create one, or copy a built-in one.')}</Text>
      )}
      <Select
        label={t('Dashboard')}
        searchable
        data={own.map((one) => ({ value: one.id, label: one.title }))}
        value={id}
        onChange={setId}
        data-autofocus
      />
      <TextInput label={t('Panel title')} maxLength={200} {...bindText(title, setTitle)} />
    </FormDialog>
  );
}
