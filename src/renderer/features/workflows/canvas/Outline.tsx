import { TextInput } from '@mantine/core';
import { IconArrowRight, IconSearch } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import { t, tn } from '../../../../lib/language.ts';
import { useLongScroll } from '../../../ui/use-long-scroll.ts';
import { edgeKey } from '../definition/edits.ts';
import { FAULT_WORDS, type FaultLevel } from './flow.ts';
import { nodeStyle } from '../node-styles.ts';
import { matchesOutlineSearch, type OutlineNode, outlineNodes } from './outline.ts';
import classes from './Outline.module.css';
import { bindText } from '../../../ui/bind.ts';

export interface OutlineProps {
  readonly definition: Definition;
  readonly nodeFaults: ReadonlyMap<string, FaultLevel>;
  /** Ids of the selected nodes. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: readonly string[]) => void;
  readonly onOpen: (id: string) => void;
  readonly onAddAfter: (id: string) => void;
  readonly onConnect: (id: string) => void;
  readonly onRemove: (what: { node: string } | { edge: string }) => void;
  readonly onMove: (id: string, dx: number, dy: number) => void;
}

interface Line {
  readonly key: string;
  readonly node: OutlineNode;
  readonly out: OutlineNode['out'][number] | null;
  /** Its place among those of its level, from 1, and how many they are. */
  readonly place: number;
  readonly of: number;
}
/** Pixels, as `Outline.module.css` has it. */
const ROW = 28;
const STEP = 16;
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
};

/** The graph as a tree of lines: the canvas for those who do not see it or do not point. Everything that can be done there can be done here. */
export function Outline({
  definition,
  nodeFaults,
  selected,
  onSelect,
  onOpen,
  onAddAfter,
  onConnect,
  onRemove,
  onMove,
}: OutlineProps): ReactNode {
  const all = useMemo(() => outlineNodes(definition), [definition.nodes, definition.edges]);
  const [wanted, setWanted] = useState('');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState<string | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const sought = useDeferredValue(wanted);
  const nodes = sought.trim() === '' ? all : all.filter((node) => matchesOutlineSearch(node, sought));
  const lines = nodes.flatMap((node, i): Line[] => [
    { key: node.id, node, out: null, place: i + 1, of: nodes.length },
    ...(expanded.has(node.id)
      ? node.out.map((out, j) => ({ key: edgeKey(out.edge), node, out, place: j + 1, of: node.out.length }))
      : []),
  ]);
  const current = lines.find((line) => line.key === at) ?? lines.find((line) => selected.has(line.key)) ?? lines[0];

  useEffect(() => {
    if (selected.size === 1) setAt([...selected][0] ?? null);
  }, [selected]);
  const long = useLongScroll({ scrollRef: tree, count: lines.length, rowHeight: ROW });
  const currentAt = current ? lines.indexOf(current) : -1;
  useEffect(() => {
    if (currentAt >= 0) long.reveal(currentAt);
  }, [current?.key, currentAt]);

  const go = (line: Line | undefined) => {
    if (!line) return;
    setAt(line.key);
    if (line.out === null) onSelect([line.node.id]);
    requestAnimationFrame(() =>
      tree.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus({ preventScroll: true }),
    );
  };
  const goTo = (id: string) =>
    go({ key: id, node: all.find((node) => node.id === id) as OutlineNode, out: null, place: 0, of: 0 });
  /** Of what was typed just now, though the lines may still be of a letter before. */
  const goToFirst = () => {
    const first = all.find((node) => matchesOutlineSearch(node, wanted));
    if (first) goTo(first.id);
  };
  const open = (id: string, isOpen: boolean) =>
    setExpanded((before) => new Set(isOpen ? [...before, id] : [...before].filter((one) => one !== id)));

  const keys = (event: KeyboardEvent, line: Line) => {
    if (event.ctrlKey || event.metaKey) return;
    const { node, out } = line;
    const place = lines.indexOf(line);
    const move = MOVES[event.key];
    if (event.altKey) {
      if (!move || out) return;
      onMove(node.id, ...move);
    } else if (event.key === 'ArrowDown') go(lines[place + 1]);
    else if (event.key === 'ArrowUp') go(lines[place - 1]);
    else if (event.key === 'Home') go(lines[0]);
    else if (event.key === 'End') go(lines.at(-1));
    else if (event.key === 'ArrowRight') {
      if (out) goTo(out.edge.to);
      else if (expanded.has(node.id)) go(lines[place + 1]);
      else open(node.id, node.out.length > 0);
    } else if (event.key === 'ArrowLeft') {
      if (out) go(lines.find((one) => one.key === node.id));
      else if (expanded.has(node.id)) open(node.id, false);
      else {
        const before = definition.edges.find((edge) => edge.to === node.id)?.from;
        if (before !== undefined && all.some((one) => one.id === before)) goTo(before);
      }
    } else if (event.key === 'Enter') out ? goTo(out.edge.to) : onOpen(node.id);
    else if (event.key === ' ' && !out)
      onSelect(selected.has(node.id) ? [...selected].filter((id) => id !== node.id) : [...selected, node.id]);
    else if (event.key === 'a' && !out) {
      // What is made must have its line, whatever was looked for.
      setWanted('');
      onAddAfter(node.id);
    } else if (event.key === 'c' && !out) onConnect(node.id);
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      const next = lines[place + 1] ?? lines[place - 1];
      onRemove(out ? { edge: edgeKey(out.edge) } : { node: node.id });
      go(out ? lines.find((one) => one.key === node.id) : next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  // The lines get the same functions for good: of hundreds only those are drawn again that changed.
  const latest = useRef({ lines, keys, go, goTo });
  latest.current = { lines, keys, go, goTo };
  const onKeys = useCallback((event: KeyboardEvent, id: string) => {
    const line = latest.current.lines.find(({ key }) => key === id);
    if (line) latest.current.keys(event, line);
  }, []);
  const onClick = useCallback((id: string) => {
    const line = latest.current.lines.find(({ key }) => key === id);
    if (line?.out) latest.current.goTo(line.out.edge.to);
    else latest.current.go(line);
  }, []);

  return (
    <div className={classes['outline']}>
      <TextInput
        data-filter
        aria-label={t('Search nodes')}
        placeholder={t('Search nodes')}
        leftSection={<IconSearch size={14} aria-hidden="true" />}
        {...bindText(wanted, setWanted)}
        onKeyDown={(event) =>
          (event.key === 'Enter' || event.key === 'ArrowDown') && (event.preventDefault(), goToFirst())
        }
      />
      <div
        role="tree"
        aria-label={t('Graph outline')}
        aria-multiselectable="true"
        className={classes['lines']}
        ref={tree}
      >
        <div role="presentation" style={{ height: long.track }}>
          <div role="presentation" ref={long.layerRef}>
            {lines.map((line, index) => {
              // Those in sight, and the one that the Tab key leads to.
              if ((index < long.first || index >= long.last) && line !== current) return null;
              const { key, node, out, place, of } = line;
              const fault = out ? null : (nodeFaults.get(key) ?? null);
              return (
                <OutlineLine
                  key={key}
                  id={key}
                  top={long.topOf(index)}
                  place={place}
                  of={of}
                  name={out ? out.name : node.name}
                  type={out ? (out.edge.port ?? '') : node.type}
                  words={wordsOf(line, fault)}
                  isOut={out !== null}
                  isCurrent={line === current}
                  isSelected={out === null && selected.has(key)}
                  isOpen={out || node.out.length === 0 ? null : expanded.has(node.id)}
                  fault={fault}
                  onKeys={onKeys}
                  onClick={onClick}
                />
              );
            })}
          </div>
        </div>
      </div>
      {lines.length === 0 && (
        <p className={classes['none']}>{all.length === 0 ? t('No nodes yet.') : t('No matching nodes.')}</p>
      )}
      <p className={classes['keys']}>
        {t('↑ ↓ rows · → outputs · Enter settings · A add after · C connect · Alt+arrows move · Delete')}
      </p>
    </div>
  );
}

/** What a screen reader says of a line. */
function wordsOf({ node, out }: Line, fault: FaultLevel | null): string {
  if (out)
    return out.edge.port === undefined
      ? t('to {node}', { node: out.name })
      : t('if {port}, to {node}', { port: out.edge.port, node: out.name });
  return [
    node.name,
    node.type,
    node.from.length > 0 ? t('after {nodes}', { nodes: node.from.join(', ') }) : null,
    tn('{count} output', '{count} outputs', node.out.length),
    fault && FAULT_WORDS[fault](),
  ]
    .filter(Boolean)
    .join(', ');
}

interface OutlineLineProps {
  readonly id: string;
  /** Pixels from the top of their layer. */
  readonly top: number;
  readonly place: number;
  readonly of: number;
  readonly name: string;
  /** Of the node, or the port of a way out. */
  readonly type: string;
  readonly words: string;
  readonly isOut: boolean;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  /** Null: nothing is below it. */
  readonly isOpen: boolean | null;
  readonly fault: FaultLevel | null;
  readonly onKeys: (event: KeyboardEvent, id: string) => void;
  readonly onClick: (id: string) => void;
}

const OutlineLine = memo(function OutlineLine({
  id,
  top,
  place,
  of,
  name,
  type,
  words,
  isOut,
  isCurrent,
  isSelected,
  isOpen,
  fault,
  onKeys,
  onClick,
}: OutlineLineProps): ReactNode {
  const { icon: Icon } = nodeStyle(type);
  return (
    <div
      role="treeitem"
      aria-level={isOut ? 2 : 1}
      aria-posinset={place}
      aria-setsize={of}
      style={{ transform: `translateY(${top}px)` }}
      aria-selected={isSelected}
      {...(isOpen === null ? {} : { 'aria-expanded': isOpen })}
      aria-label={words}
      tabIndex={isCurrent ? 0 : -1}
      className={classes['line']}
      data-out={isOut || undefined}
      data-fault={fault ?? undefined}
      data-id={id}
      onKeyDown={(event) => onKeys(event, id)}
      onClick={() => onClick(id)}
    >
      {isOut ? <IconArrowRight size={14} aria-hidden="true" /> : <Icon size={16} aria-hidden="true" />}
      <span className={`clip ${classes['name']}`}>{name}</span>
      <span className={classes['type']}>{type}</span>
    </div>
  );
});
