import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { CopyButton } from './CopyButton.tsx';
import { type JsonRow, rowsOf, startsOpen } from './json-rows.ts';
import css from './JsonTree.module.css';

export interface JsonTreeProps {
  value: unknown;
  /** Accessible name, such as 'Output'. */
  label: string;
  /** Levels that start open. */
  openDepth?: number;
  /** Pixels. */
  maxHeight?: number;
}

const ROW = 20;
/** Characters of one text that are drawn; a copy has them all. */
const SHOWN = 2000;

/** A JSON value to unfold. Only lines in sight are drawn and only open branches walked, so that megabytes stay quick. */
export function JsonTree({ value, label, openDepth = 2, maxHeight = 420 }: JsonTreeProps) {
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [active, setActive] = useState(0);
  const scroll = useRef<HTMLDivElement>(null);
  const base = useId();
  const rows = useMemo(() => rowsOf(value, (path, depth, inner) => turned.get(path) ?? startsOpen(inner, depth, openDepth)), [value, turned, openDepth]);
  const virtualizer = useVirtualizer({ count: rows.length, getScrollElement: () => scroll.current, estimateSize: () => ROW, overscan: 12 });
  const turn = (row: JsonRow, open: boolean) => row.size > 0 && setTurned((old) => new Map(old).set(row.path, open));

  function go(index: number) {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setActive(next);
    virtualizer.scrollToIndex(next);
  }
  function onKeyDown(event: KeyboardEvent) {
    const row = rows[active];
    if (!row || event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const parent = rows.findLastIndex((other, i) => i < active && other.depth < row.depth);
    const steps: Record<string, () => void> = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (row.size > 0 && !row.open ? turn(row, true) : go(active + 1)),
      ArrowLeft: () => (row.open ? turn(row, false) : parent >= 0 && go(parent)),
      Enter: () => turn(row, !row.open),
      ' ': () => turn(row, !row.open),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  }

  const top = rows[0];
  return (
    <div className={css['box']}>
      <div className={css['bar']}>
        <span>{top && top.size >= 0 ? `${top.kind === 'array' ? 'Array' : 'Object'}, ${top.text}` : t('Value')}</span>
        <CopyButton value={textOf(value)} label={t('Copy {label}', { label: label.toLowerCase() })} />
      </div>
      <div
        ref={scroll}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={`${base}${active}`}
        className={css['scroll']}
        style={{ maxHeight, height: rows.length * ROW + 8 }}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" className={css['inner']} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index] as JsonRow;
            return (
              <div
                key={row.path}
                id={`${base}${item.index}`}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-expanded={row.size > 0 ? row.open : undefined}
                aria-selected={item.index === active}
                data-active={item.index === active || undefined}
                className={css['row']}
                style={{ '--depth': row.depth, transform: `translateY(${item.start}px)` } as CSSProperties}
                onClick={() => setActive(item.index)}
              >
                <Line row={row} onTurn={() => turn(row, !row.open)} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Line({ row, onTurn }: { row: JsonRow; onTurn(): void }) {
  return (
    <>
      <span className={css['fold']} onClick={onTurn} aria-hidden>
        {row.size > 0 ? (row.open ? '▾' : '▸') : ' '}
      </span>
      {row.name !== null && <span className={typeof row.name === 'number' ? css['index'] : css['name']}>{row.name}: </span>}
      {row.size >= 0 ? (
        <span className={css['note']} onDoubleClick={onTurn}>
          {row.kind === 'array' ? '[' : '{'}
          {row.size > 0 ? ` ${row.text} ` : ''}
          {row.kind === 'array' ? ']' : '}'}
        </span>
      ) : (
        <span className={css['text']} data-kind={row.kind}>
          {row.text.length > SHOWN ? t('{value}… ({count} characters)', { value: row.text.slice(0, SHOWN), count: row.text.length }) : row.text}
        </span>
      )}
    </>
  );
}

/** Text of a value for the clipboard: a string alone as it is, else JSON. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''));
