import type { NodeSide, TaskSide } from '../../../../contract/comparisons.ts';
import type { TaskState } from '../../../../contract/vocabulary.ts';
import { hasFailed } from '../../../state-machines/task.ts';
import type { ReadHandle } from '../../../store/port.ts';
import { inlineText } from '../../../store/whole.ts';
import { FIRST_TASK, tasksInOrder } from '../tasks-in-order.ts';

/** Rows of a job's tasks as a comparison reads them. */
export interface SideRow {
  seq: number;
  id: string;
  node: string;
  type: string;
  replica: number;
  item: number | null;
  state: TaskState;
  attempt: number;
  worker_id: string | null;
  ready_at: number;
  started_at: number | null;
  finished_at: number | null;
  error_code: string | null;
  error_message: string | null;
  port: string | null;
  /** What it was given by the job itself; null where it is another task's output. */
  input: string | null;
  input_payload: number | null;
  output: string | null;
  output_payload: number | null;
}

const TEXTS = (['input', 'output'] as const).map((of) => `${inlineText(of, `${of} of task`, 'id')} AS ${of}`);
const ROWS = tasksInOrder<SideRow>(
  `seq, id, node, type, replica, item, state, attempt, worker_id, ready_at, started_at, finished_at, error_code, error_message, port, ${TEXTS.join(', ')}, input_payload, output_payload`,
);
const PAGE = 500;

/** The tasks of one job that stand at one place (replica, and item of a list), by node. */
export interface Group {
  readonly replica: number;
  readonly item: number | null;
  readonly tasks: Map<string, SideRow>;
}

/** The places of a job in their order, a page of rows in memory at a time. */
export function* groupTasks(read: ReadHandle, job: number): Generator<Group, undefined> {
  let at = FIRST_TASK;
  let group: Group | null = null;
  for (;;) {
    const rows = ROWS.page(read, job, at, PAGE);
    for (const row of rows) {
      if (group === null || group.replica !== row.replica || group.item !== row.item) {
        if (group) yield group;
        group = { replica: row.replica, item: row.item, tasks: new Map() };
      }
      group.tasks.set(row.node, row);
      at = row;
    }
    if (rows.length < PAGE) break;
  }
  if (group) yield group;
  return undefined;
}

/** Which of two places comes first; 0: the same. */
export const placeOrder = (a: Pick<Group, 'replica' | 'item'>, b: Pick<Group, 'replica' | 'item'>): number =>
  a.replica - b.replica || (a.item ?? -1) - (b.item ?? -1);

export const comparedRun = ({ started_at, finished_at }: SideRow): number | null =>
  started_at === null || finished_at === null ? null : Math.max(0, finished_at - started_at);
const waitOf = ({ ready_at, started_at }: SideRow): number | null =>
  started_at === null ? null : Math.max(0, started_at - ready_at);

export const taskSide = (row: SideRow | undefined): TaskSide | null =>
  row === undefined
    ? null
    : {
        taskId: row.id,
        state: row.state,
        attempt: row.attempt,
        workerId: row.worker_id,
        waitMs: waitOf(row),
        runMs: comparedRun(row),
        port: row.port,
        error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
      };

export const noTasks = (): NodeSide => ({ tasks: 0, failed: 0, runs: 0, runMs: 0, maxRunMs: 0, waitMs: 0 });

export function addTaskToGroup(side: NodeSide, row: SideRow): void {
  const run = comparedRun(row);
  side.tasks++;
  if (hasFailed(row.state)) side.failed++;
  side.waitMs += waitOf(row) ?? 0;
  if (run === null) return;
  side.runs++;
  side.runMs += run;
  side.maxRunMs = Math.max(side.maxRunMs, run);
}
