import { IconArrowRight, IconCircleDotted, IconPlayerSkipForward, IconRotateClockwise } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo } from 'react';
import { valueAt } from '../../../../lib/item-at.ts';
import type { Definition, WorkflowNode } from '../../../../contract/definition.ts';
import { edgeKey, emptyTally, type JobTally, type NodeTally } from '../../../../contract/graph.ts';
import { t } from '../../../../lib/language.ts';
import { formatCount } from '../../../ui/Duration.tsx';
import { TONES, type ToneOf } from '../../../ui/status.ts';
import { GraphView } from '../../../ui/graph/GraphView.tsx';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import type { LayoutEdge } from '../../../ui/graph/layout.ts';
import { usePositions } from '../../workflows/use-positions.ts';
import { definitionLayout } from '../../workflows/definition-layout.ts';
import { Gist, NodeBox, type NodeLook } from '../../workflows/NodeBox.tsx';
import { nodeSummary } from '../../workflows/node-styles.ts';
import css from './JobGraph.module.css';
import { nodeStatus, type NodeStatus } from './node-status.ts';

export interface JobGraphProps {
  readonly definition: Definition;
  readonly tally: JobTally;
  readonly replicas: number;
  /** No task will be made any more. */
  readonly ended: boolean;
  readonly selected: string | null;
  onOpen(node: string, at: NodeTally): void;
}
interface Box {
  readonly node: WorkflowNode;
  readonly at: NodeTally;
  readonly look: NodeStatus;
}

/** The graph of a job with what its replicas came to at each node. */
export function JobGraph({ definition, tally, replicas, ended, selected, onOpen }: JobGraphProps): ReactNode {
  const { nodes: tallies, taken } = tally;
  const nodes = useMemo(() => new Map(definition.nodes.map((node) => [node.id, node])), [definition]);
  const places = usePositions(definition);
  // A change of state moves nothing: the layout depends on places and edges alone.
  const layout = useMemo(
    () => places && definitionLayout(definition.nodes, definition.edges, places),
    [definition, places],
  );
  const boxOf = (id: string): Box => {
    const at = tallies.get(id) ?? emptyTally();
    return { node: valueAt(nodes, id), at, look: nodeStatus(at) };
  };
  const edgeTone = useCallback(
    (edge: LayoutEdge) => {
      const at = tallies.get(edge.to);
      if (!taken.has(edgeKey(edge))) return ended ? 'missed' : undefined;
      return at && at.states.RUNNING + at.states.SCHEDULED > 0 ? 'active' : 'taken';
    },
    [tallies, taken, ended],
  );
  if (layout === null) return <SkeletonBlock height={360} />;
  return (
    <GraphView
      label={t('Job graph')}
      nodes={[...layout.nodes.values()]}
      layout={layout}
      selected={selected}
      edgeTone={edgeTone}
      nodeLabel={({ id }) => {
        const box = boxOf(id);
        const parts = summary(box.at, ended, box.node.type).map((part) => part.text);
        // What can be seen stands in one piece in what is read out.
        const { type } = box.node;
        return [nameOf(box.node), ...(nodeSummary(box.node) === '' ? [type, ...parts] : [...parts, type])].join(' ');
      }}
      onOpen={({ id }) => onOpen(id, tallies.get(id) ?? emptyTally())}
      renderNode={({ id }) => <NodeCard box={boxOf(id)} replicas={replicas} ended={ended} selected={selected === id} />}
    />
  );
}

const nameOf = (node: WorkflowNode): string => (node.name === undefined || node.name === '' ? node.id : node.name);

function NodeCard({
  box: { node, at, look },
  replicas,
  ended,
  selected,
}: {
  box: Box;
  replicas: number;
  ended: boolean;
  selected: boolean;
}): ReactNode {
  const { tone, icon: Icon } = statusTone(look);
  const gist = nodeSummary(node);
  return (
    <NodeBox
      type={node.type}
      name={nameOf(node)}
      line={gist === '' ? node.type : <Gist>{gist}</Gist>}
      isSelected={selected}
      isStacked={replicas > 1}
      look={LOOKS[look]}
      foot={
        <span className={css['parts']}>
          <span className={css['icon']} data-shade={tone}>
            <Icon size={14} aria-hidden />
          </span>
          {shortened(summary(at, ended, node.type)).map((part) => (
            <span
              key={part.text}
              className={css['part']}
              data-shade={part.tone}
              {...(part.short === part.text ? {} : { 'data-hint': part.text })}
            >
              {part.short}{' '}
            </span>
          ))}
        </span>
      }
    />
  );
}

const LOOKS: Readonly<Record<NodeStatus, NodeLook>> = {
  FAILED: 'failed',
  RUN_TIMEOUT: 'failed',
  SCHEDULE_TIMEOUT: 'failed',
  retrying: 'retrying',
  RUNNING: 'running',
  SCHEDULED: 'running',
  READY: 'waiting',
  COMPLETED: 'done',
  passed: 'done',
  skipped: 'skipped',
  waiting: 'waiting',
};

function statusTone(look: NodeStatus): Pick<ToneOf, 'tone' | 'icon'> {
  switch (look) {
    case 'retrying':
      return { tone: 'partial', icon: IconRotateClockwise };
    case 'passed':
      return { tone: 'done', icon: IconArrowRight };
    case 'skipped':
      return { tone: 'empty', icon: IconPlayerSkipForward };
    case 'waiting':
      return { tone: 'empty', icon: IconCircleDotted };
    default:
      return TONES.task[look];
  }
}

interface Part {
  text: string;
  count: number;
  tone: ToneOf['tone'];
}
/** Letters that fit on the line of a card, and how many of them the edges of a part take. */
const LINE = 26;
const EDGES = 2;

/** What runs in them is time. */
const WAITING_TYPES: ReadonlySet<string> = new Set(['wait', 'delay']);

/** One part for each kind of outcome: the word alone for one replica, with its count for several. */
function summary(at: NodeTally, ended: boolean, type: string): Part[] {
  const { states } = at;
  const finallyFailed = states.FAILED - at.retrying;
  const parts: [count: number, word: string, tone: ToneOf['tone']][] = [
    [finallyFailed, t('failed'), 'fail'],
    [at.retrying, t('retrying'), 'partial'],
    [states.RUN_TIMEOUT, t('run timeout'), 'mixed'],
    [states.SCHEDULE_TIMEOUT, t('schedule timeout'), 'late'],
    [states.RUNNING, WAITING_TYPES.has(type) ? t('waiting') : t('running'), 'run'],
    [states.SCHEDULED, t('scheduled'), 'sched'],
    [states.READY, t('ready'), 'ready'],
    [states.COMPLETED, t('completed'), 'done'],
    [at.passed, t('passed'), 'done'],
    [at.skipped, t('skipped'), 'empty'],
    [at.waiting, ended ? t('not reached') : t('not started'), 'empty'],
  ];
  const some = parts.filter(([count]) => count > 0);
  const total = some.reduce((sum, [count]) => sum + count, 0);
  return some.map(([count, word, tone]) => ({
    text: total === 1 ? word : `${formatCount(count)} ${word}`,
    count,
    tone,
  }));
}

/** The parts as a card has room for them: what comes after its line is full is a number in its colour. */
function shortened(parts: readonly Part[]): (Part & { short: string })[] {
  let taken = 0;
  return parts.map((part) => ({
    ...part,
    short: (taken += part.text.length + EDGES) <= LINE || parts[0] === part ? part.text : formatCount(part.count),
  }));
}
