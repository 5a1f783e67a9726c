import { ActionIcon } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowsMove, IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Panel } from '../../../../contract/dashboards.ts';
import { GRID_COLUMNS } from '../../../../contract/vocabulary.ts';
import shared from '../panels/Dashboard.module.css';
import { t } from '../../../../lib/language.ts';
import { bodyHeight, GRID_GAP_PX, gridPosition, GRID_ROW_PX } from '../panels/grid.ts';
import { PanelCard } from '../panels/PanelCard.tsx';
import type { DashboardAnnotation } from '../use-annotations.ts';
import type { PanelView } from '../panels/use-panel.ts';
import css from './Edit.module.css';
import { movePanelByKey } from './layout.ts';

/** Typing into a panel's form asks for its data when it rests. */
const TYPING_MS = 300;

interface Props {
  readonly panels: readonly Panel[];
  readonly view: PanelView;
  readonly marks: readonly DashboardAnnotation[];
  readonly chosen: string | null;
  onChoose(id: string): void;
  onPlace(id: string, grid: Panel['grid']): void;
  onCopy(panel: Panel): void;
  onRemove(panel: Panel): void;
  onZoom(fromSeconds: number, toSeconds: number): void;
}

/** The panels as they will be, each with what moves, sizes and takes it away. */
export function EditGrid({ panels, ...rest }: Props): ReactNode {
  const [said, setSaid] = useState('');
  return (
    // Takes the focus where a panel of it is removed.
    <div className={shared['grid']} data-grid role="group" aria-label={t('Panels')} tabIndex={-1}>
      {panels.map((panel) => (
        <Cell key={panel.id} panel={panel} onSay={setSaid} {...rest} />
      ))}
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </div>
  );
}

function Cell({
  panel,
  view,
  marks,
  chosen,
  onSay,
  onChoose,
  onPlace,
  onCopy,
  onRemove,
  onZoom,
}: Omit<Props, 'panels'> & { panel: Panel; onSay(words: string): void }): ReactNode {
  const [asked] = useDebouncedValue(panel, TYPING_MS);
  const box = useRef<HTMLDivElement>(null);
  const isChosen = chosen === panel.id;
  // One that was just added stands below all others.
  useEffect(() => void (isChosen && box.current?.scrollIntoView({ block: 'nearest' })), [isChosen]);
  const drag = useRef<{ x: number; y: number; column: number; grid: Panel['grid'] } | null>(null);
  const arrows = (event: KeyboardEvent) => {
    const next = movePanelByKey(panel.grid, event.key, event.shiftKey);
    if (next === null) return;
    event.preventDefault();
    onPlace(panel.id, next);
    onSay(t('Column {x}, row {y}, width {w}, height {h}', { ...next }));
  };
  const take = (event: PointerEvent<HTMLButtonElement>) => {
    const grid = event.currentTarget.closest('[data-grid]');
    if (event.button !== 0 || !grid) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = {
      x: event.clientX,
      y: event.clientY,
      column: (grid.clientWidth + GRID_GAP_PX) / GRID_COLUMNS,
      grid: panel.grid,
    };
  };
  const pull = (sizes: boolean) => (event: PointerEvent) => {
    if (!drag.current) return;
    const { x, y, column, grid } = drag.current;
    const across = Math.round((event.clientX - x) / column);
    const down = Math.round((event.clientY - y) / (GRID_ROW_PX + GRID_GAP_PX));
    onPlace(
      panel.id,
      sizes
        ? { ...grid, w: Math.max(1, Math.min(GRID_COLUMNS - grid.x, grid.w + across)), h: grid.h + down }
        : { ...grid, x: Math.max(0, grid.x + across), y: Math.max(0, grid.y + down) },
    );
  };
  const handle = (sizes: boolean) => ({
    onKeyDown: arrows,
    onPointerDown: take,
    onPointerMove: pull(sizes),
    onPointerUp: () => (drag.current = null),
    onPointerCancel: () => (drag.current = null),
  });
  const { title } = panel;
  const choose = () => onChoose(panel.id);
  const acts = [
    { name: t('Edit {title}', { title }), hint: t('Edit'), icon: IconPencil, run: choose },
    { name: t('Copy {title}', { title }), hint: t('Copy'), icon: IconCopy, run: () => onCopy(panel) },
    { name: t('Remove {title}', { title }), hint: t('Remove'), icon: IconTrash, run: () => onRemove(panel) },
  ];
  return (
    <div ref={box} className={css['cell']} style={gridPosition(panel)} data-chosen={isChosen || undefined}>
      <PanelCard
        panel={{ ...asked, title, grid: panel.grid }}
        view={view}
        marks={marks}
        height={bodyHeight(panel.grid.h)}
        full={false}
        onZoom={onZoom}
      />
      <div className={css['bar']}>
        <ActionIcon
          size="sm"
          aria-label={t('Move {title}: arrow keys move, Shift + arrow keys resize', { title })}
          data-hint={t('Drag or use arrow keys to move; Shift + arrow keys to resize')}
          {...handle(false)}
        >
          <IconArrowsMove size={15} aria-hidden />
        </ActionIcon>
        {acts.map(({ name, hint, icon: Icon, run }) => (
          <ActionIcon
            key={name}
            size="sm"
            aria-label={name}
            data-hint={hint}
            data-edit={run === choose || undefined}
            onClick={run}
          >
            <Icon size={15} aria-hidden />
          </ActionIcon>
        ))}
      </div>
      <button
        type="button"
        className={css['corner']}
        tabIndex={-1}
        aria-label={t('Resize {title}', { title })}
        {...handle(true)}
      />
    </div>
  );
}
