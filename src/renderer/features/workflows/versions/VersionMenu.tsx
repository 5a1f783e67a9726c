import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowsDiff, IconDots, IconEye, IconHistory, IconPencil, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Commit } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { useVersionActions } from './context.ts';

/** What can be done with one version. */
export function VersionMenu({ commit }: { commit: Commit }): ReactNode {
  const { workflow, open, compare, restore, load, publish } = useVersionActions();
  const { parent, hash } = commit;
  const isHead = workflow.head === hash;
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <ActionIcon
          aria-label={t('Actions for version {value}', { value: hash.slice(0, 8) })}
          onClick={(event) => event.stopPropagation()}
        >
          <IconDots size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        <Menu.Item leftSection={<IconEye size={16} aria-hidden="true" />} onClick={() => open(hash)}>
          {t('Open read-only')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowsDiff size={16} aria-hidden="true" />}
          disabled={parent === null}
          onClick={() => parent !== null && compare(parent, hash)}
        >
          {parent === null ? t('No previous version') : t('Compare with previous version')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowsDiff size={16} aria-hidden="true" />}
          disabled={isHead}
          onClick={() => workflow.head !== null && compare(hash, workflow.head)}
        >
          {isHead ? t('This is the latest version') : t('Compare with latest version')}
        </Menu.Item>
        {workflow.environments.map(({ environment, hash: there }) =>
          there === null || there === hash ? null : (
            <Menu.Item
              key={environment}
              leftSection={<IconArrowsDiff size={16} aria-hidden="true" />}
              onClick={() => compare(there, hash)}
            >
              {t('Compare with the version in {environment}', { environment })}
            </Menu.Item>
          ),
        )}
        <Menu.Item
          leftSection={<IconHistory size={16} aria-hidden="true" />}
          disabled={isHead}
          onClick={() => restore(commit)}
        >
          {t('Restore…')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden="true" />} onClick={() => load(commit)}>
          {t('Load into editor')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUpload size={16} aria-hidden="true" />}
          disabled={!commit.valid}
          onClick={() => publish(hash)}
        >
          {commit.valid ? t('Publish…') : t("Has validation errors, can't be published")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
