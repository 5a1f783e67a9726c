import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { Panel } from '@xyflow/react';
import {
  IconAlertTriangle,
  IconCopy,
  IconLayoutDistributeVertical,
  IconLayoutSidebarRightCollapse,
  IconLayoutSidebarRightExpand,
  IconNote,
  IconPlus,
  IconSquareDashed,
  IconTrash,
} from '@tabler/icons-react';
import { type ReactNode, useContext } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import type { CanvasSelection } from './builder.ts';
import { BuilderContext } from './builder-context.ts';
import classes from './CanvasTools.module.css';

export interface CanvasToolsProps {
  readonly chosen: CanvasSelection;
  /** Why the text cannot be read. */
  readonly fault: string | null;
  /** The pane of settings beside it; null: there is none. */
  readonly form: { readonly isOpen: boolean; readonly faults: number; readonly onToggle: () => void } | null;
  readonly onAdd: () => void;
  readonly onNote: () => void;
}

/** Over the canvas: what can be done to it and to what is selected, and why it cannot be changed now. */
export function CanvasTools({ chosen, fault, form, onAdd, onNote }: CanvasToolsProps): ReactNode {
  const builder = useContext(BuilderContext);
  const count = chosen.flowIds.length + chosen.edges.length;
  if (!builder) return null;
  if (fault !== null) {
    return (
      <Panel position="top-center">
        <p className={classes['fault']} role="status">
          <IconAlertTriangle size={16} aria-hidden="true" />
          {t('Could not parse the text: {fault} Showing the last valid version.', { fault })}
        </p>
      </Panel>
    );
  }
  const tools = [
    { label: t('Add node (A)'), icon: IconPlus, run: onAdd },
    { label: t('Add note'), icon: IconNote, run: onNote },
    { label: t('Auto-layout'), icon: IconLayoutDistributeVertical, run: builder.arrange },
  ];
  const acts = [
    {
      label: t('Duplicate (Ctrl+D)'),
      icon: IconCopy,
      run: () => builder.duplicate(chosen),
      isFor: chosen.flowIds.some((id) => !id.includes('/')),
    },
    {
      label: t('Group (Ctrl+G)'),
      icon: IconSquareDashed,
      run: () => builder.group(chosen),
      isFor: chosen.flowIds.some((id) => !id.includes('/')),
    },
    { label: t('Delete (Del)'), icon: IconTrash, run: () => builder.remove(chosen), isFor: true },
  ];
  return (
    <>
      <Panel position="top-left">
        <Tools label={t('Canvas')} tools={tools} />
      </Panel>
      {form && (
        <Panel position="top-right">
          <Tools
            label={t('Settings')}
            tools={[
              form.isOpen
                ? { label: t('Hide settings'), icon: IconLayoutSidebarRightCollapse, run: form.onToggle }
                : { label: t('Show settings'), icon: IconLayoutSidebarRightExpand, run: form.onToggle },
            ]}
            lead={
              !form.isOpen &&
              form.faults > 0 && (
                <span className={classes['count']} data-tone="fail">
                  {tn('{count} problem', '{count} problems', form.faults)}
                </span>
              )
            }
          />
        </Panel>
      )}
      {count > 0 && (
        <Panel position="top-center" className={classes['selection'] ?? ''}>
          <Group gap={6} wrap="nowrap">
            <Tools
              label={t('Selection')}
              tools={acts.filter((act) => act.isFor)}
              lead={<span className={classes['count']}>{tn('{count} selected', '{count} selected', count)}</span>}
            />
          </Group>
        </Panel>
      )}
    </>
  );
}

interface Tool {
  readonly label: string;
  readonly icon: typeof IconPlus;
  readonly run: () => void;
}
function Tools({ label, tools, lead }: { label: string; tools: readonly Tool[]; lead?: ReactNode }): ReactNode {
  return (
    <div className={classes['tools']} role="toolbar" aria-label={label}>
      {lead}
      {tools.map(({ label: name, icon: Icon, run }) => (
        <Tooltip key={name} label={name}>
          <ActionIcon size={28} aria-label={name} onClick={run}>
            <Icon size={16} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}
