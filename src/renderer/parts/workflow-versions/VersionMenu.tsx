import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowsDiff, IconDots, IconEye, IconPencil, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Commit } from '../../../contract/api.ts';
import { useVersionActions } from './context.ts';

/** What can be done with one version. */
export function VersionMenu({ commit }: { commit: Commit }): ReactNode {
  const { workflow, open, compare, restore, publish } = useVersionActions();
  const { parent, hash } = commit;
  const isHead = workflow.head === hash;
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions of version ${hash.slice(0, 8)}`} onClick={(event) => event.stopPropagation()}>
          <IconDots size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        <Menu.Item leftSection={<IconEye size={16} aria-hidden="true" />} onClick={() => open(hash)}>
          Open read-only
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowsDiff size={16} aria-hidden="true" />} disabled={parent === null} onClick={() => parent !== null && compare(parent, hash)}>
          {parent === null ? 'Nothing came before it' : 'Compare with the one before'}
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowsDiff size={16} aria-hidden="true" />} disabled={isHead} onClick={() => workflow.head !== null && compare(hash, workflow.head)}>
          {isHead ? 'This is the newest' : 'Compare with the newest'}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden="true" />} onClick={() => restore(commit)}>
          Load into the editor
        </Menu.Item>
        <Menu.Item leftSection={<IconUpload size={16} aria-hidden="true" />} disabled={!commit.valid} onClick={() => publish(hash)}>
          {commit.valid ? 'Publish…' : 'Has faults, cannot be published'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
