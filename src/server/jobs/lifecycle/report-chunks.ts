import type { TaskReport } from '../../machine/report.ts';
import { CREATED_AT_ONCE } from '../foreach/chunks.ts';
import type { Memory } from '../engine/port.ts';

/** Nodes of a graph whose being looked at costs as much as a task. */
const NODES_PER_TASK = 16;
/** Items of a list whose being kept for later costs as much as a task. */
const ITEMS_PER_TASK = 8;
/** The most that one piece weighs, unless a single report weighs more. */
const MOST_WEIGHT = 128;
/** The same where all ends are cheap: a worker that comes back may tell of thousands. */
const MOST_CHEAP = 512;

export interface ReportChunk {
  readonly weight: number;
  readonly reports: readonly TaskReport[];
}

/**
 * The reports of one frame in pieces that a turn can take each. Most ends cost the same; that of a task before a join or
 * behind a condition looks at all of its replica, and costs as much as the graph is large; a part of a list costs its items, and a
 * whole short list the tasks that are made of it at once.
 */
export function splitReports(
  { leased }: Pick<Memory, 'leased'>,
  reports: readonly TaskReport[],
): readonly ReportChunk[] {
  let sum = 0;
  let heaviest = 1;
  const weights = reports.map((report) => {
    const task = report.e === 'done' ? leased.get(report.id) : undefined;
    const weight =
      report.e === 'items'
        ? 1 + weightOf(report)
        : task === undefined || task.node.simple !== null
          ? 1
          : 1 + Math.ceil(task.job.plan.nodes.size / NODES_PER_TASK);
    heaviest = Math.max(heaviest, weight);
    sum += weight;
    return weight;
  });
  const most = heaviest === 1 ? MOST_CHEAP : MOST_WEIGHT;
  if (sum <= most) return [{ weight: sum, reports }];
  const pieces: { weight: number; reports: TaskReport[] }[] = [];
  reports.forEach((report, i) => {
    const weight = weights[i] ?? 1;
    const last = pieces.at(-1);
    if (last && last.weight + weight <= most) {
      last.weight += weight;
      last.reports.push(report);
    } else pieces.push({ weight, reports: [report] });
  });
  return pieces;
}

const weightOf = ({ first, items, more }: Extract<TaskReport, { e: 'items' }>): number =>
  first === 0 && !more && items.length <= CREATED_AT_ONCE ? items.length : Math.ceil(items.length / ITEMS_PER_TASK);
