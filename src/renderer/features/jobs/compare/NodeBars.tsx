import { type ReactNode, useMemo, useState } from 'react';
import type { Comparison, NodeSide } from '../../../../contract/comparisons.ts';
import { t } from '../../../../lib/language.ts';
import { Duration, formatCount, formatDuration } from '../../../ui/Duration.tsx';
import { useNodeName } from '../../workflows/NodeName.tsx';
import { NodeLink } from '../../workflows/NodeLink.tsx';
import css from './Compare.module.css';

type Node = Comparison['nodes'][number];
const SHOWN = 12;
/** Less is not worth a colour. */
const SLOWER_MS = 20;

/** Mean run of a task, as far as the node's tasks have run. */
const meanOf = (side: NodeSide | null): number | null =>
  side === null || side.runs === 0 ? null : side.runMs / side.runs;
/** What it cost the run more or less than the other: the tasks of the node together. */
const costOf = ({ here, there }: Node): number => Math.abs((here?.runMs ?? 0) - (there?.runMs ?? 0));

/** How long the tasks of each node ran on either side, where it differs most first. */
export function NodeBars({ nodes, workflowId }: { nodes: Comparison['nodes']; workflowId: string }): ReactNode {
  const [all, setAll] = useState(false);
  const nameOf = useNodeName();
  const sorted = useMemo(() => [...nodes].sort((a, b) => costOf(b) - costOf(a)), [nodes]);
  const shown = all ? sorted : sorted.slice(0, SHOWN);
  const most = Math.max(1, ...nodes.flatMap(({ here, there }) => [meanOf(here) ?? 0, meanOf(there) ?? 0]));
  if (nodes.length === 0) return <p className="dim">{t('Neither run has created tasks.')}</p>;
  return (
    <>
      <table className={css['bars']}>
        <thead>
          <tr>
            <th scope="col">{t('Node')}</th>
            <th scope="col">{t('Average run time per task')}</th>
            <th scope="col" className={css['right']}>
              {t('Difference')}
            </th>
            <th scope="col" className={css['right']}>
              {t('Tasks')}
            </th>
            <th scope="col" className={css['right']}>
              {t('Failed')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((node) => {
            const [here, there] = [meanOf(node.here), meanOf(node.there)];
            const delta = here === null || there === null ? null : here - there;
            return (
              <tr key={node.node}>
                <th scope="row" className="clip" title={node.node}>
                  <NodeLink workflowId={workflowId} node={node.node}>
                    {nameOf(node.node)}
                  </NodeLink>
                </th>
                <td>
                  <Bar side="here" ms={here} most={most} />
                  <Bar side="there" ms={there} most={most} />
                </td>
                <td
                  className={`${css['right']} numbers`}
                  data-slower={delta !== null && delta > SLOWER_MS && delta > (there ?? 0) / 10 ? true : undefined}
                >
                  {delta === null ? '–' : `${delta > 0 ? '+' : ''}${formatDuration(delta)}`}
                </td>
                <td className={`${css['right']} numbers`}>{pairText(node.here?.tasks, node.there?.tasks)}</td>
                <td className={`${css['right']} numbers`}>{pairText(node.here?.failed, node.there?.failed)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={css['legend']}>
        <span className={css['swatch']} data-side="here" /> {t('this run')}{' '}
        <span className={css['swatch']} data-side="there" /> {t('other run')}
        {sorted.length > shown.length && (
          <button type="button" className="linkish" onClick={() => setAll(true)}>
            {t('Show all {count} nodes', { count: formatCount(sorted.length) })}
          </button>
        )}
      </p>
    </>
  );
}

function Bar({ side, ms, most }: { side: 'here' | 'there'; ms: number | null; most: number }): ReactNode {
  return (
    <span className={css['bar']} data-side={side}>
      <span className={css['fill']} style={{ width: ms === null ? 0 : `max(2px, ${(ms / most) * 100}%)` }} />
      <span className={css['value']}>
        <Duration ms={ms} />
      </span>
    </span>
  );
}

/** `3`, or `3 / 4` where the sides differ. */
const pairText = (here = 0, there = 0): string =>
  here === there ? formatCount(here) : `${formatCount(here)} / ${formatCount(there)}`;
