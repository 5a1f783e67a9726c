import { ActionIcon, Menu } from '@mantine/core';
import {
  IconCopy,
  IconDotsVertical,
  IconDownload,
  IconFileExport,
  IconLink,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Dashboard } from '../../../../contract/dashboards.ts';
import { t } from '../../../../lib/language.ts';
import { grafanaExport } from '../../../api/dashboards.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { textOfDefinition } from '../edit/json-text.ts';
import { NewDashboard } from '../edit/NewDashboard.tsx';
import { useWhy } from '../../../stores/role.ts';
import { copyText } from '../../../ui/CopyButton.tsx';
import { toastSuccess, toastError, toastInfo } from '../../../ui/toasts.tsx';
import { useDelete } from './use-delete.ts';
import { type MenuEntry, MenuItems } from '../../../ui/MenuItems.tsx';

/** What can be done with a whole dashboard. */
export function DashboardMenu({ dashboard: { id, definition, builtIn } }: { dashboard: Dashboard }): ReactNode {
  const whyOperate = useWhy('dashboards.write', 'anywhere');
  const canOperate = whyOperate === undefined;
  const [copying, setCopying] = useState(false);
  const navigate = useNavigate();
  const remove = useDelete();
  // What holds an entry back is said in it: a disabled one has no tooltip.
  const held = (label: string, own: boolean) =>
    own && builtIn
      ? t('{label}: built-in dashboards are read-only; change a copy', { label })
      : whyOperate === undefined
        ? label
        : t('{label}: {why}', { label, why: whyOperate });

  async function grafana() {
    try {
      const { files } = await grafanaExport(id);
      const file = files.find(({ path }) => path === `dashboards/${id}.json`);
      if (!file) return;
      saveFile(`${id}.grafana.json`, 'application/json', file.content);
      toastSuccess(t('Exported for Grafana'), t('Export its data sources with: yardmaster grafana export DIR'));
    } catch (error) {
      toastError(t('Could not export the dashboard'), error);
    }
  }

  const edit = () =>
    navigate({
      to: '/dashboards/$dashboardId',
      params: { dashboardId: id },
      search: (old) => ({ ...old, edit: 'form' }) as never,
    });
  const copyLink = async () =>
    (await copyText(location.href))
      ? toastSuccess(t('Link copied'), t('It opens this view, with its time range and variables.'))
      : toastInfo(t('Could not copy the link'), location.href);
  const save = () => saveFile(`${id}.dashboard.json`, 'application/json', textOfDefinition(definition));
  const entries: MenuEntry[] = [
    { label: held(t('Edit'), true), icon: IconPencil, off: builtIn || !canOperate, run: edit },
    { label: held(t('Copy…'), false), icon: IconCopy, off: !canOperate, run: () => setCopying(true) },
    { label: t('Copy link'), icon: IconLink, run: copyLink },
    { label: t('Export as JSON'), icon: IconDownload, run: save },
    { label: t('Export for Grafana'), icon: IconFileExport, run: grafana },
    {
      label: held(t('Delete'), true),
      icon: IconTrash,
      off: builtIn || !canOperate,
      run: async () => (await remove(id)) && navigate({ to: '/dashboards' }),
    },
  ];
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('Dashboard actions')}>
            <IconDotsVertical size={15} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItems entries={entries} />
        </Menu.Dropdown>
      </Menu>
      {copying && (
        <NewDashboard
          heading={t('Copy of {title}', { title: definition.title })}
          definition={definition}
          title={t('{title} (copy)', { title: definition.title })}
          onClose={() => setCopying(false)}
        />
      )}
    </>
  );
}
