import { parseStored } from '../../../../lib/json.ts';
import type { Comparison, FirstDifference, NodeSide, TaskPair } from '../../../../contract/comparisons.ts';
import type { Definition } from '../../../../contract/definition.ts';
import { buildGraph } from '../../../../contract/graph.ts';
import type { Limits } from '../../../../contract/limits.ts';
import type { TaskDifferenceKind } from '../../../../contract/vocabulary.ts';
import { comparisonWords } from '../../../../lib/compare-words.ts';
import { Fault } from '../../../../lib/fault.ts';
import { blobId } from '../../../../lib/git.ts';
import type { ReadHandle } from '../../../store/port.ts';
import type { JobRow } from '../../engine/rows.ts';
import { JOB_BY_ID } from '../../engine/sql.ts';
import { jobView } from '../views.ts';
import { openPayloads, type PayloadCompare } from './compare-payloads.ts';
import {
  addTaskToGroup,
  groupTasks,
  noTasks,
  placeOrder,
  comparedRun,
  taskSide,
  type Group,
  type SideRow,
} from './compare-tasks.ts';

const DEFINITION = 'SELECT d.blob, d.text FROM version v JOIN definition d ON d.blob = v.blob WHERE v.hash = ?';
/** Replicas of other inputs that are named. */
const REPLICAS = 500;

type CompareLimits = Pick<Limits, 'compareTasks' | 'compareRows' | 'compareBytes'>;

interface Seen extends TaskPair {
  /** Its node's place in the order of the graph. */
  readonly order: number;
  /** What is told first: other ends, then other outputs, then other durations. */
  readonly weight: number;
  readonly rows: { readonly here: SideRow | undefined; readonly there: SideRow | undefined };
}

/**
 * Two jobs, task by task: those of the same node, replica and item are held together. Both are read in their order, a
 * page of each at a time, so that what it costs in memory does not grow with the jobs. Long: for the thread of reads.
 * Throws JOB_NOT_FOUND.
 */
export function compareJobs(read: ReadHandle, hereId: string, thereId: string, limits: CompareLimits): Comparison {
  const [here, there] = [jobOf(read, hereId), jobOf(read, thereId)];
  const order = orderOf(read, here, there);
  const payloads = openPayloads(read, limits.compareBytes);
  const nodes = new Map<string, { nodeType: string; here: NodeSide | null; there: NodeSide | null }>();
  const workers = new Map<string, { here: number; there: number }>();
  const replicas = new Set<number>();
  const tasks = { here: 0, there: 0, differing: 0 };
  let complete = true;
  const told: { first: Seen | null; ended: Seen | null } = { first: null, ended: null };
  let rows: Seen[] = [];

  const note = (row: SideRow | undefined, side: 'here' | 'there') => {
    if (row === undefined) return;
    tasks[side]++;
    const node = nodes.get(row.node) ?? { nodeType: row.type, here: null, there: null };
    nodes.set(row.node, node);
    addTaskToGroup((node[side] ??= noTasks()), row);
    if (row.worker_id === null) return;
    const worker = workers.get(row.worker_id) ?? { here: 0, there: 0 };
    worker[side]++;
    workers.set(row.worker_id, worker);
  };
  const pair = (a: SideRow | undefined, b: SideRow | undefined) => {
    note(a, 'here');
    note(b, 'there');
    // One of the sides has it, else there was no pair.
    const known = (a ?? b) as SideRow;
    const { differs, uncertain } = differences(a, b, payloads);
    if (uncertain) complete = false;
    if (a && b && !replicas.has(a.replica) && isGiven(a) && isGiven(b)) {
      const same = payloads.same({ text: a.input, apart: a.input_payload }, { text: b.input, apart: b.input_payload });
      if (same === false) replicas.add(a.replica);
    }
    const delta = Math.abs((a ? (comparedRun(a) ?? 0) : 0) - (b ? (comparedRun(b) ?? 0) : 0));
    if (differs.length === 0 && delta === 0) return;
    const seen: Seen = {
      node: known.node,
      nodeType: known.type,
      replica: known.replica,
      item: known.item,
      differs,
      here: taskSide(a),
      there: taskSide(b),
      order: order.get(known.node) ?? Number.MAX_SAFE_INTEGER,
      weight: weightOf(differs, delta),
      rows: { here: a, there: b },
    };
    if (differs.length > 0) {
      tasks.differing++;
      if (comesFirst(seen, told.first)) told.first = seen;
      if (differs.some((kind) => kind !== 'output') && isOwn(seen) && comesFirst(seen, told.ended)) told.ended = seen;
    }
    rows.push(seen);
    if (rows.length >= limits.compareRows * 4) rows = heaviest(rows, limits.compareRows);
  };

  for (const [a, b] of sideBySide(groupTasks(read, here.seq), groupTasks(read, there.seq))) {
    for (const node of new Set([...(a?.tasks.keys() ?? []), ...(b?.tasks.keys() ?? [])]))
      pair(a?.tasks.get(node), b?.tasks.get(node));
    if (tasks.here + tasks.there >= limits.compareTasks) {
      complete = false;
      break;
    }
  }

  const found = {
    here: jobView(here),
    there: jobView(there),
    ended: firstView(told.ended, payloads),
    first: firstView(told.first, payloads),
    nodes: [...nodes]
      .map(([node, sides]) => ({ node, ...sides }))
      .sort((a, b) => (order.get(a.node) ?? 0) - (order.get(b.node) ?? 0)),
    tasks: { ...tasks, items: heaviest(rows, limits.compareRows).map(pairView) },
    workers: [...workers]
      .map(([workerId, counts]) => ({ workerId, ...counts }))
      .sort((a, b) => b.here + b.there - a.here - a.there),
    inputs: { differing: replicas.size, replicas: [...replicas].slice(0, REPLICAS) },
    complete,
  };
  return { ...found, message: comparisonWords(found) };
}

function jobOf(read: ReadHandle, id: string): JobRow {
  const row = read.query<JobRow>(JOB_BY_ID).get(id);
  if (!row) throw new Fault('JOB_NOT_FOUND', `job ${id} not found`);
  return row;
}

/** Places of the nodes in their graphs; those of the job itself first. */
function orderOf(read: ReadHandle, here: JobRow, there: JobRow): Map<string, number> {
  const order = new Map<string, number>();
  for (const commit of new Set([here.commit_hash, there.commit_hash])) {
    const row = read.query<{ blob: string; text: string }>(DEFINITION).get(commit);
    // Only the order follows from it: a damaged one is told where it is shown.
    if (row === undefined || blobId(row.text) !== row.blob) continue;
    for (const [at, node] of buildGraph(parseStored<Definition>(row.text)).order.entries())
      if (!order.has(node)) order.set(node, at);
  }
  return order;
}

/** Places of both, those of the same replica and item together. */
function* sideBySide(
  here: Generator<Group, undefined>,
  there: Generator<Group, undefined>,
): Generator<[Group | undefined, Group | undefined]> {
  let [a, b] = [here.next().value, there.next().value];
  while (a !== undefined || b !== undefined) {
    const order = a === undefined ? 1 : b === undefined ? -1 : placeOrder(a, b);
    yield [order <= 0 ? a : undefined, order >= 0 ? b : undefined];
    if (order <= 0) a = here.next().value;
    if (order >= 0) b = there.next().value;
  }
}

function differences(
  a: SideRow | undefined,
  b: SideRow | undefined,
  payloads: PayloadCompare,
): { differs: TaskDifferenceKind[]; uncertain: boolean } {
  if (!a || !b) return { differs: [a ? 'only-here' : 'only-there'], uncertain: false };
  const differs: TaskDifferenceKind[] = [];
  if (a.state !== b.state) differs.push('state');
  else if (a.error_code !== b.error_code || a.error_message !== b.error_message) differs.push('error');
  if (a.port !== b.port) differs.push('port');
  if (a.state !== 'COMPLETED' || b.state !== 'COMPLETED') return { differs, uncertain: false };
  const same = payloads.same(outputOf(a), outputOf(b));
  if (same === false) differs.push('output');
  return { differs, uncertain: same === null };
}

const outputOf = ({ output, output_payload }: SideRow) => ({ text: output, apart: output_payload });
const isGiven = ({ input, input_payload }: SideRow): boolean => input !== null || input_payload !== null;

/** A task that is on one side alone follows from what came before it, where the other run has that node at all. */
const isOwn = ({ here, there }: Seen): boolean => here !== null && there !== null;

const comesFirst = (one: Seen, other: Seen | null): boolean =>
  other === null || (one.order - other.order || placeOrder(one, other)) < 0;

const HEAVY = 1e15;
const weightOf = (differs: readonly TaskDifferenceKind[], delta: number): number =>
  delta +
  (differs.length === 0
    ? 0
    : differs.includes('state') || differs.includes('error')
      ? HEAVY * 3
      : differs.includes('port') || differs.includes('output')
        ? HEAVY
        : HEAVY * 2);

const heaviest = (rows: Seen[], most: number): Seen[] =>
  rows.sort((a, b) => b.weight - a.weight || a.order - b.order || placeOrder(a, b)).slice(0, most);

const pairView = ({ node, nodeType, replica, item, differs, here, there }: Seen): TaskPair => ({
  node,
  nodeType,
  replica,
  item,
  differs,
  here,
  there,
});

function firstView(seen: Seen | null, payloads: PayloadCompare): FirstDifference | null {
  if (seen === null) return null;
  const { here: a, there: b } = seen.rows;
  return { ...pairView(seen), change: a && b ? changeOf(a, b, seen, payloads) : null };
}

function changeOf(
  a: SideRow,
  b: SideRow,
  { nodeType, differs }: Seen,
  payloads: PayloadCompare,
): FirstDifference['change'] {
  if (differs.includes('output')) return payloads.first(outputOf(a), outputOf(b));
  if (nodeType !== 'http' || !differs.includes('state')) return null;
  // Of a call that was refused on one side alone, what the other side was answered.
  const statusOf = (row: SideRow) => (row.state === 'COMPLETED' ? payloads.status(outputOf(row)) : null);
  return { op: 'changed', path: '$.status', before: statusOf(b), after: statusOf(a) };
}
