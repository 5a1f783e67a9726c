import { ActionIcon, Button, Group, Menu, Text, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconBraces, IconDeviceFloppy, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { TimeAgo } from '../../ui/Time.tsx';
import { HashLabel } from '../../ui/HashLabel.tsx';
import { rich } from '../../ui/rich.tsx';
import { ReasonButton } from '../workflow-actions/ReasonButton.tsx';
import { nodeTypeDocs } from '../workflow-text/node-types.ts';

export interface ToolbarProps {
  readonly parent: string | null;
  readonly dirty: boolean;
  readonly kept: boolean;
  /** Milliseconds since the epoch, of a draft of an earlier visit. */
  readonly draftFrom: number | null;
  readonly whyNotSave: string | null;
  readonly onInsert: (type: string) => void;
  readonly onFormat: () => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

/** What can be done to the text, and where it stands. */
export function Toolbar(props: ToolbarProps): ReactNode {
  const tools = [
    [t('Undo (Ctrl+Z)'), IconArrowBackUp, props.onUndo],
    [t('Redo (Ctrl+Shift+Z)'), IconArrowForwardUp, props.onRedo],
    [t('Format (Shift+Alt+F)'), IconBraces, props.onFormat],
  ] as const;
  return (
    <Group gap="xs" justify="space-between" role="toolbar" aria-label={t('Editor')}>
      <Group gap="xs">
        <Menu position="bottom-start" width={360}>
          <Menu.Target>
            <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden="true" />}>
              {t('Insert node')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {nodeTypeDocs.map((doc) => (
              <Menu.Item key={doc.type} onClick={() => props.onInsert(doc.type)}>
                <Text size="sm" fw={600}>
                  {doc.type}
                </Text>
                <Text size="xs" c="dimmed">
                  {doc.summary}
                </Text>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {tools.map(([label, Icon, run]) => (
          <Tooltip key={label} label={label}>
            <ActionIcon variant="default" size={30} aria-label={label} onClick={run}>
              <Icon size={16} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
      <Group gap="sm">
        <Group gap={6} aria-live="polite">
          <Text size="xs" c="dimmed">
            {props.parent === null ? t('First version') : t('After')}
          </Text>
          {props.parent !== null && <HashLabel hash={props.parent} />}
          {props.dirty && (
            <Text size="xs" c={props.kept ? 'dimmed' : 'var(--tone-fail-text)'}>
              {!props.kept ? t('· Draft not kept: this browser’s storage is full or off') : props.draftFrom === null ? t('· Changed, draft kept here') : <>{rich('· Draft from {timeAgo}', { timeAgo: <TimeAgo at={new Date(props.draftFrom).toISOString()} /> })}</>}
            </Text>
          )}
        </Group>
        <ReasonButton variant="default" size="xs" leftSection={<IconTrash size={14} aria-hidden="true" />} reason={props.dirty ? null : t('Nothing was changed.')} onClick={props.onDiscard}>
          {t('Discard')}
        </ReasonButton>
        <ReasonButton size="xs" leftSection={<IconDeviceFloppy size={14} aria-hidden="true" />} reason={props.whyNotSave} hint={t('Ctrl+S')} onClick={props.onSave}>
          {t('Save version')}
        </ReasonButton>
      </Group>
    </Group>
  );
}
