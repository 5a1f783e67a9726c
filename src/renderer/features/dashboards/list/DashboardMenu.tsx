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
import { useRole } from '../../../stores/role.ts';
import { copyText } from '../../../ui/CopyButton.tsx';
import { toastSuccess, toastError, toastInfo } from '../../../ui/toasts.tsx';
import { useDelete } from './use-delete.ts';

/** What can be done with a whole dashboard. */
export function DashboardMenu({ dashboard: { id, definition, builtIn } }: { dashboard: Dashboard }): ReactNode {
  const { canOperate, whyOperate } = useRole();
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

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('Dashboard actions')}>
            <IconDotsVertical size={15} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPencil size={15} aria-hidden />}
            disabled={builtIn || !canOperate}
            onClick={() =>
              void navigate({
                to: '/dashboards/$dashboardId',
                params: { dashboardId: id },
                search: (old) => ({ ...old, edit: 'form' }) as never,
              })
            }
          >
            {held(t('Edit'), true)}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy size={15} aria-hidden />}
            disabled={!canOperate}
            onClick={() => setCopying(true)}
          >
            {held(t('Copy…'), false)}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLink size={15} aria-hidden />}
            onClick={() =>
              void copyText(location.href).then((done) =>
                done
                  ? toastSuccess(t('Link copied'), t('It opens this view, with its time range and variables.'))
                  : toastInfo(t('Could not copy the link'), location.href),
              )
            }
          >
            {t('Copy link')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload size={15} aria-hidden />}
            onClick={() => saveFile(`${id}.dashboard.json`, 'application/json', textOfDefinition(definition))}
          >
            {t('Export as JSON')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFileExport size={15} aria-hidden />} onClick={() => void grafana()}>
            {t('Export for Grafana')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={15} aria-hidden />}
            disabled={builtIn || !canOperate}
            onClick={() => void remove(id).then((done) => (done ? navigate({ to: '/dashboards' }) : undefined))}
          >
            {held(t('Delete'), true)}
          </Menu.Item>
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
