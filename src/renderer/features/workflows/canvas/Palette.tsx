import { isOneOf } from '../../../../lib/is-one-of.ts';
import { ActionIcon, Tabs, Tooltip } from '@mantine/core';
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconListTree,
  IconPlus,
} from '@tabler/icons-react';
import type { DragEvent, ReactNode } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { useShortcut } from '../../../keyboard/use-shortcut.ts';
import { typePicks } from './AddDialog.tsx';
import classes from './BuilderView.module.css';
import { DRAGGED_BETWEEN, DRAGGED_TYPE } from './Canvas.tsx';
import { hasInputAndOutput } from './connect-rules.ts';
import { nodeStyle } from '../node-styles.ts';
import pickClasses from './Pick.module.css';
import { PickList } from './PickList.tsx';

const PALETTE_TABS = ['add', 'outline'] as const;
export type PaletteTab = (typeof PALETTE_TABS)[number];

export interface PaletteProps {
  readonly definition: Definition;
  readonly outline: ReactNode;
  readonly onAdd: (type: string) => void;
  /** Folded, it is a rail of icons. */
  readonly isOpen: boolean;
  readonly onFold: (isOpen: boolean) => void;
  readonly tab: PaletteTab;
  readonly onTab: (tab: PaletteTab) => void;
  readonly onFind: () => void;
}

/** Left of the canvas: the types of nodes, to be dragged or clicked, and the outline of the graph. */
export function Palette({ definition, outline, onAdd, isOpen, onFold, tab, onTab, onFind }: PaletteProps): ReactNode {
  useShortcut('/', t('Search nodes'), onFind);
  if (!isOpen) return <Rail definition={definition} onAdd={onAdd} onUnfold={() => onFold(true)} onFind={onFind} />;
  return (
    <aside className={classes['palette']} aria-label={t('Nodes')}>
      <Tabs
        value={tab}
        onChange={(next) => isOneOf(PALETTE_TABS, next) && onTab(next)}
        keepMounted={false}
        className={classes['tabs'] ?? ''}
      >
        <div className={classes['tabHead']}>
          <Tabs.List grow>
            <Tabs.Tab value="add" leftSection={<IconPlus size={14} aria-hidden="true" />}>
              {t('Add')}
            </Tabs.Tab>
            <Tabs.Tab value="outline" leftSection={<IconListTree size={14} aria-hidden="true" />}>
              {t('Outline')}
            </Tabs.Tab>
          </Tabs.List>
          <Fold label={t('Collapse palette')} icon={IconLayoutSidebarLeftCollapse} run={() => onFold(false)} />
        </div>
        <Tabs.Panel value="add" className={classes['tab'] ?? ''}>
          <PickList
            label={t('Node to add')}
            placeholder={t('Search node types')}
            picks={typePicks(definition)}
            onPick={onAdd}
            onDrag={dragged}
          />
        </Tabs.Panel>
        <Tabs.Panel value="outline" className={classes['tab'] ?? ''}>
          {outline}
        </Tabs.Panel>
      </Tabs>
    </aside>
  );
}

function dragged(event: DragEvent, type: string): void {
  event.dataTransfer.setData(DRAGGED_TYPE, type);
  if (hasInputAndOutput(type)) event.dataTransfer.setData(DRAGGED_BETWEEN, type);
  event.dataTransfer.effectAllowed = 'copy';
}

/** The palette where room is scarce: the types as icons, to be dragged or clicked all the same. */
function Rail({
  definition,
  onAdd,
  onUnfold,
  onFind,
}: {
  definition: Definition;
  onAdd: (type: string) => void;
  onUnfold: () => void;
  onFind: () => void;
}): ReactNode {
  return (
    <aside className={classes['rail']} aria-label={t('Nodes')}>
      <Fold label={t('Expand palette')} icon={IconLayoutSidebarLeftExpand} run={onUnfold} />
      <Fold label={t('Find a node (/)')} icon={IconListTree} run={onFind} />
      <div className={classes['railTypes']} role="group" aria-label={t('Node to add')}>
        {typePicks(definition).map(({ key, label, hint, why }) => {
          const { icon: Icon, kind } = nodeStyle(key);
          return (
            <button
              key={key}
              type="button"
              className={pickClasses['row']}
              data-kind={kind}
              data-hint={`${label}: ${why ?? hint}`}
              aria-label={t('Add {type}', { type: label })}
              aria-disabled={why !== null}
              draggable={why === null}
              onDragStart={(event) => dragged(event, key)}
              onClick={() => why === null && onAdd(key)}
            >
              <span className={pickClasses['tile']}>
                <Icon size={16} aria-hidden="true" />
              </span>
            </button>
          );
        })}
      </div>
    </aside>
  );
}

const Fold = ({ label, icon: Icon, run }: { label: string; icon: typeof IconPlus; run: () => void }): ReactNode => (
  <Tooltip label={label} position="right">
    <ActionIcon size={28} aria-label={label} onClick={run}>
      <Icon size={16} aria-hidden="true" />
    </ActionIcon>
  </Tooltip>
);
