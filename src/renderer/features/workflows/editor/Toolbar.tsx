import { ActionIcon, Button, Group, Menu, SegmentedControl, Text, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBraces,
  IconDeviceFloppy,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { storageLocationText } from '../../../stores/desktop.ts';
import { TimeAgo } from '../../../ui/Time.tsx';
import { HashLabel } from '../../../ui/HashLabel.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { nodeTypeDocs } from '../definition/node-types.ts';
import classes from './Editor.module.css';

export type EditView = 'canvas' | 'split' | 'json';

export interface ToolbarProps {
  readonly view: EditView;
  readonly onView: (view: EditView) => void;
  /** What would be undone, and done again; null: nothing. */
  readonly undoes: string | null;
  readonly redoes: string | null;
  readonly parent: string | null;
  /** Of that version, where it is known. */
  readonly parentNumber: number | undefined;
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
  /** What tries it. */
  readonly children: ReactNode;
}

/** What can be done to the draft, and where it stands: in one row, wherever there is room for it. */
export function Toolbar(props: ToolbarProps): ReactNode {
  const { view, onView, undoes, redoes } = props;
  const tools = [
    {
      name: t('Undo'),
      label: undoes === null ? t('Nothing to undo') : t('Undo: {what} (Ctrl+Z)', { what: undoes }),
      icon: IconArrowBackUp,
      run: props.onUndo,
      isOff: undoes === null,
    },
    {
      name: t('Redo'),
      label: redoes === null ? t('Nothing to redo') : t('Redo: {what} (Ctrl+Shift+Z)', { what: redoes }),
      icon: IconArrowForwardUp,
      run: props.onRedo,
      isOff: redoes === null,
    },
    ...(view === 'canvas'
      ? []
      : [{ name: t('Format'), label: t('Format (Shift+Alt+F)'), icon: IconBraces, run: props.onFormat, isOff: false }]),
  ];
  return (
    <div className={classes.bar} role="toolbar" aria-label={t('Builder')}>
      <Group gap={6}>
        <SegmentedControl
          aria-label={t('Draft view')}
          value={view}
          onChange={(next) => onView(next)}
          data={[
            { value: 'canvas', label: t('Canvas') },
            { value: 'split', label: t('Split') },
            { value: 'json', label: t('JSON') },
          ]}
        />
        {view === 'json' && (
          <Menu position="bottom-start" width={360}>
            <Menu.Target>
              <Button variant="default" leftSection={<IconPlus size={14} aria-hidden="true" />}>
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
        )}
        {tools.map(({ name, label, icon: Icon, run, isOff }) => (
          <Tooltip key={name} label={label}>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={name}
              aria-disabled={isOff}
              {...(isOff ? { 'data-disabled': true } : {})}
              onClick={() => !isOff && run()}
            >
              <Icon size={16} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
      {props.children}
      <div className={classes.standing} aria-live="polite">
        {props.dirty && <SaveState kept={props.kept} draftFrom={props.draftFrom} />}
        <Text size="xs" c="dimmed" component="div" className={classes.base ?? ''}>
          <span className="clip">{props.parent === null ? t('No version yet') : t('Based on##version')}</span>
          {props.parent !== null && <HashLabel hash={props.parent} number={props.parentNumber} />}
        </Text>
      </div>
      <Group gap={6}>
        <ReasonButton
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden="true" />}
          reason={props.dirty ? null : t('There are no changes.')}
          onClick={props.onDiscard}
        >
          {t('Discard')}
        </ReasonButton>
        <ReasonButton
          leftSection={<IconDeviceFloppy size={14} aria-hidden="true" />}
          reason={props.whyNotSave}
          hint={t('Ctrl+S')}
          onClick={props.onSave}
        >
          {t('Save version')}
        </ReasonButton>
      </Group>
    </div>
  );
}

function SaveState({ kept, draftFrom }: { kept: boolean; draftFrom: number | null }): ReactNode {
  const words = kept
    ? t('Draft saved locally')
    : t('Draft not stored: storage {here} is full or disabled', { here: storageLocationText() });
  return (
    <Text size="xs" c={kept ? 'dimmed' : 'var(--tone-fail-text)'} className="clip" data-hint={kept ? undefined : words}>
      {kept && draftFrom !== null
        ? rich('Draft saved {timeAgo}', { timeAgo: <TimeAgo at={new Date(draftFrom).toISOString()} /> })
        : words}
    </Text>
  );
}
