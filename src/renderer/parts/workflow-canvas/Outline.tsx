import { TextInput } from '@mantine/core';
import { IconArrowRight, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Definition } from '../../../contract/definition.ts';
import { t, tn } from '../../../lib/language.ts';
import { edgeKey } from './edits.ts';
import { FAULT_WORDS, type FaultLevel } from './flow.ts';
import { lookOf } from './node-looks.ts';
import { isMeant, type OutlineNode, outlineOf } from './outline.ts';
import classes from './Outline.module.css';

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

type Line = { readonly key: string; readonly node: OutlineNode; readonly out: OutlineNode['out'][number] | null };
const STEP = 16;
const MOVES: Readonly<Record<string, readonly [number, number]>> = { ArrowUp: [0, -STEP], ArrowDown: [0, STEP], ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0] };

/** The graph as a tree of lines: the canvas for those who do not see it or do not point. Everything that can be done there can be done here. */
export function Outline({ definition, nodeFaults, selected, onSelect, onOpen, onAddAfter, onConnect, onRemove, onMove }: OutlineProps): ReactNode {
  const all = useMemo(() => outlineOf(definition), [definition.nodes, definition.edges]);
  const [wanted, setWanted] = useState('');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState<string | null>(null);
  const tree = useRef<HTMLUListElement>(null);
  const nodes = wanted.trim() === '' ? all : all.filter((node) => isMeant(node, wanted));
  const lines = nodes.flatMap((node): Line[] => [{ key: node.id, node, out: null }, ...(expanded.has(node.id) ? node.out.map((out) => ({ key: edgeKey(out.edge), node, out })) : [])]);
  const current = lines.find((line) => line.key === at) ?? lines.find((line) => selected.has(line.key)) ?? lines[0];

  useEffect(() => {
    if (selected.size === 1) setAt([...selected][0] ?? null);
  }, [selected]);
  useEffect(() => void tree.current?.querySelector('[tabindex="0"]')?.scrollIntoView({ block: 'nearest' }), [current?.key]);

  const go = (line: Line | undefined) => {
    if (!line) return;
    setAt(line.key);
    if (line.out === null) onSelect([line.node.id]);
    requestAnimationFrame(() => tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  };
  const goTo = (id: string) => go({ key: id, node: all.find((node) => node.id === id) as OutlineNode, out: null });
  const open = (id: string, isOpen: boolean) => setExpanded((before) => new Set(isOpen ? [...before, id] : [...before].filter((one) => one !== id)));

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
    else if (event.key === ' ' && !out) onSelect(selected.has(node.id) ? [...selected].filter((id) => id !== node.id) : [...selected, node.id]);
    else if (event.key === 'a' && !out) onAddAfter(node.id);
    else if (event.key === 'c' && !out) onConnect(node.id);
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      const next = lines[place + 1] ?? lines[place - 1];
      onRemove(out ? { edge: edgeKey(out.edge) } : { node: node.id });
      go(out ? lines.find((one) => one.key === node.id) : next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className={classes['outline']}>
      <TextInput size="xs" data-filter aria-label={t('Find a node')} placeholder={t('Find a node')} leftSection={<IconSearch size={14} aria-hidden="true" />} value={wanted} onChange={(event) => setWanted(event.currentTarget.value)} onKeyDown={(event) => (event.key === 'Enter' || event.key === 'ArrowDown') && lines[0] && (event.preventDefault(), goTo(lines[0].node.id))} />
      <ul role="tree" aria-label={t('Outline of the graph')} aria-multiselectable="true" className={classes['lines']} ref={tree}>
        {lines.map((line) => (
          <OutlineLine key={line.key} line={line} isCurrent={line === current} isSelected={line.out === null && selected.has(line.key)} isOpen={expanded.has(line.node.id)} fault={line.out ? null : (nodeFaults.get(line.key) ?? null)} onKeys={keys} onClick={() => (line.out ? goTo(line.out.edge.to) : go(line))} />
        ))}
      </ul>
      {lines.length === 0 && <p className={classes['none']}>{all.length === 0 ? t('There is no node yet.') : t('No node is called that.')}</p>}
      <p className={classes['keys']}>{t('↑ ↓ lines · → ways out · Enter settings · A add after · C connect · Alt+arrows move · Delete')}</p>
    </div>
  );
}

function OutlineLine({ line, isCurrent, isSelected, isOpen, fault, onKeys, onClick }: { line: Line; isCurrent: boolean; isSelected: boolean; isOpen: boolean; fault: FaultLevel | null; onKeys: (event: KeyboardEvent, line: Line) => void; onClick: () => void }): ReactNode {
  const { node, out } = line;
  const { icon: Icon } = lookOf(node.type);
  const port = out?.edge.port;
  const words = out
    ? port === undefined ? t('to {node}', { node: out.name }) : t('where {port}, to {node}', { port, node: out.name })
    : [node.name, node.type, node.from.length > 0 ? t('after {nodes}', { nodes: node.from.join(', ') }) : null, tn('{count} way out', '{count} ways out', node.out.length), fault && FAULT_WORDS[fault]()].filter(Boolean).join(', ');
  return (
    <li
      role="treeitem"
      aria-level={out ? 2 : 1}
      aria-selected={isSelected}
      {...(out || node.out.length === 0 ? {} : { 'aria-expanded': isOpen })}
      aria-label={words}
      tabIndex={isCurrent ? 0 : -1}
      className={classes['line']}
      data-out={out ? true : undefined}
      data-fault={fault ?? undefined}
      onKeyDown={(event) => onKeys(event, line)}
      onClick={onClick}
    >
      {out ? <IconArrowRight size={14} aria-hidden="true" /> : <Icon size={16} aria-hidden="true" />}
      <span className={classes['name']}>{out ? out.name : node.name}</span>
      <span className={classes['type']}>{out ? (port ?? '') : node.type}</span>
    </li>
  );
}
