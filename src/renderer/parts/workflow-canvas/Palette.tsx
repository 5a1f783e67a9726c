import { Tabs } from '@mantine/core';
import { IconListTree, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Definition } from '../../../contract/definition.ts';
import { t } from '../../../lib/language.ts';
import { useShortcut } from '../frame/shortcuts.ts';
import { typePicks } from './AddDialog.tsx';
import classes from './BuilderView.module.css';
import { DRAGGED_TYPE } from './Canvas.tsx';
import { PickList } from './PickList.tsx';

/** Left of the canvas: the types of nodes, to be dragged or clicked, and the outline of the graph. */
export function Palette({ definition, outline, onAdd }: { definition: Definition; outline: ReactNode; onAdd: (type: string) => void }): ReactNode {
  const [tab, setTab] = useState<string | null>('add');
  const panel = useRef<HTMLElement>(null);
  useShortcut('/', t('Find a node'), () => {
    setTab('outline');
    requestAnimationFrame(() => panel.current?.querySelector<HTMLElement>('[data-filter]')?.focus());
  });
  return (
    <aside ref={panel} className={classes['palette']} aria-label={t('Nodes')}>
      <Tabs value={tab} onChange={setTab} keepMounted={false} className={classes['tabs'] ?? ''}>
        <Tabs.List grow>
          <Tabs.Tab value="add" leftSection={<IconPlus size={14} aria-hidden="true" />}>{t('Add')}</Tabs.Tab>
          <Tabs.Tab value="outline" leftSection={<IconListTree size={14} aria-hidden="true" />}>{t('Outline')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="add" className={classes['tab'] ?? ''}>
          <PickList
            label={t('Node to add')}
            placeholder={t('Search types')}
            picks={typePicks(definition)}
            onPick={onAdd}
            onDrag={(event, type) => {
              event.dataTransfer.setData(DRAGGED_TYPE, type);
              event.dataTransfer.effectAllowed = 'copy';
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="outline" className={classes['tab'] ?? ''}>{outline}</Tabs.Panel>
      </Tabs>
    </aside>
  );
}
