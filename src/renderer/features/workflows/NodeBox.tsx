import type { ReactNode } from 'react';
import { portsForType } from './canvas/connect-rules.ts';
import classes from './NodeBox.module.css';
import { nodeStyle } from './node-styles.ts';

/** How a node fared in a run, as its frame shows it. */
export type NodeLook = 'done' | 'failed' | 'retrying' | 'running' | 'skipped' | 'waiting' | 'missed';

export interface NodeBoxProps {
  readonly type: string;
  readonly name: string;
  /** Under its name: what it does in the words of its settings, or else its type. */
  readonly line: ReactNode;
  readonly isSelected?: boolean | undefined;
  /** Keeps its draft from being saved or published, or is advice. */
  readonly fault?: 'save' | 'publish' | 'advice' | null;
  readonly look?: NodeLook | undefined;
  /** What it is in a comparison of two versions. */
  readonly change?: 'added' | 'removed' | 'changed' | 'moved' | 'same' | undefined;
  /** It stands for several replicas. */
  readonly isStacked?: boolean | undefined;
  /** At the end of its row: a sign of what is wrong with it. */
  readonly sign?: ReactNode;
  /** Below it: how it fared. */
  readonly foot?: ReactNode;
  /** Its ways in and out, where edges can be drawn. */
  readonly children?: ReactNode;
}

/** A node as every graph of the console draws it: in the builder, of a job, and in a comparison. It fills the box around it. */
export function NodeBox({
  type,
  name,
  line,
  isSelected,
  fault,
  look,
  change,
  isStacked,
  sign,
  foot,
  children,
}: NodeBoxProps): ReactNode {
  const { icon: Icon, kind } = nodeStyle(type);
  const ports = portsForType(type);
  return (
    <span
      className={classes['box']}
      data-kind={kind}
      data-selected={isSelected || undefined}
      data-fault={fault ?? undefined}
      data-look={look}
      data-change={change}
      data-stacked={isStacked || undefined}
      data-ports={ports.length > 1 || undefined}
    >
      <span className={classes['tile']}>
        <Icon size={20} aria-hidden="true" />
      </span>
      <span className={classes['words']}>
        <span className={classes['name']} data-clip>
          {name}
        </span>{' '}
        <span className={classes['line']}>{line}</span>
      </span>{' '}
      {sign}
      {ports.length > 1 &&
        ports.map((port, i) => <span key={port} className={classes['port']} data-place={i} data-name={port} />)}
      {children}
      {foot !== undefined && foot !== null && <span className={classes['foot']}>{foot}</span>}
    </span>
  );
}

/** The line of a node that shows what it does. It is no part of its name, which is read out: code and templates say little by ear. */
export const Gist = ({ children }: { children: string }): ReactNode => (
  <span className={classes['gist']} data-text={children} />
);

/** From far away: its colour and its name. */
export function FarNodeBox({
  type,
  name,
  isSelected,
  fault,
}: Pick<NodeBoxProps, 'type' | 'name' | 'isSelected' | 'fault'>): ReactNode {
  return (
    <span
      className={classes['box']}
      data-far
      data-kind={nodeStyle(type).kind}
      data-selected={isSelected || undefined}
      data-fault={fault ?? undefined}
    >
      <span className={classes['tile']} />
      <span className={classes['name']}>{name}</span>
    </span>
  );
}
