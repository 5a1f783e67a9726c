import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowsDiff, IconDots, IconEye, IconHistory, IconPencil, IconTag, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Commit } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { placeOf, whyNoSave } from '../../../stores/permissions.ts';
import { useRights } from '../../../stores/role.ts';
import { useVersionActions } from './context.ts';
import { type MenuEntry, MenuItems } from '../../../ui/MenuItems.tsx';
import { versionName } from '../version-name.ts';

/** What can be done with one version. */
export function VersionMenu({ commit }: { commit: Commit }): ReactNode {
  const { workflow, open, compare, restore, load, publish, tag } = useVersionActions();
  const whyNotTag = whyNoSave(useRights(), placeOf(workflow));
  const { parent, hash } = commit;
  const isHead = workflow.head === hash;
  const entries: MenuEntry[] = [
    { label: t('Open read-only'), icon: IconEye, run: () => open(hash) },
    {
      label: parent === null ? t('No previous version') : t('Compare with previous version'),
      icon: IconArrowsDiff,
      off: parent === null,
      run: () => parent !== null && compare(parent, hash),
    },
    {
      label: isHead ? t('This is the latest version') : t('Compare with latest version'),
      icon: IconArrowsDiff,
      off: isHead,
      run: () => workflow.head !== null && compare(hash, workflow.head),
    },
    ...workflow.environments.flatMap(({ environment, hash: there }) =>
      there === null || there === hash
        ? []
        : {
            label: t('Compare with the version in {environment}', { environment }),
            icon: IconArrowsDiff,
            run: () => compare(there, hash),
          },
    ),
    { label: t('Restore…'), icon: IconHistory, off: isHead, run: () => restore(commit) },
    { label: t('Load into builder'), icon: IconPencil, run: () => load(commit) },
    { label: t('Tags…'), icon: IconTag, off: whyNotTag !== null, run: () => tag(commit) },
    {
      label: commit.valid ? t('Publish…') : t("Has validation errors, can't be published"),
      icon: IconUpload,
      off: !commit.valid,
      run: () => publish(hash),
    },
  ];
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <ActionIcon
          aria-label={t('Actions for version {value}', { value: versionName(commit) })}
          onClick={(event) => event.stopPropagation()}
        >
          <IconDots size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        <MenuItems entries={entries} size={16} />
      </Menu.Dropdown>
    </Menu>
  );
}
