import { TASK_VIEW } from './list-tasks.ts';
import type { ReadHandle } from '../../store/port.ts';
import { damagesOf, taskView, type TaskViewRow } from './views.ts';
import { FIRST_TASK, tasksInOrder } from './tasks-in-order.ts';
import type { TaskCursor, TaskChunk } from './port.ts';

const PLACES = tasksInOrder<TaskCursor>('seq, replica, item');
const LENGTHS = `SELECT length(coalesce(t.input, ip.text, before.output, bp.text)) AS input, length(coalesce(t.output, op.text)) AS output FROM task t
  LEFT JOIN payload ip ON ip.id = t.input_payload LEFT JOIN task before ON before.seq = t.input_task LEFT JOIN payload bp ON bp.id = before.output_payload LEFT JOIN payload op ON op.id = t.output_payload
  WHERE t.seq = ?`;

/** Some tasks of a job as JSON lines. `characters`: of each payload; 0: without payloads. */
export function incidentTasks(
  read: ReadHandle,
  job: number,
  after: TaskCursor | null,
  size: number,
  characters: number,
): TaskChunk {
  const places = PLACES.page(read, job, after ?? FIRST_TASK, size);
  const rows = read
    .query<TaskViewRow>(`${TASK_VIEW} WHERE t.seq IN (SELECT value FROM json_each(?))`)
    .all(characters + 1, characters + 1, JSON.stringify(places.map(({ seq }) => seq)));
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  const apart: { taskId: string; of: 'input' | 'output'; characters: number }[] = [];
  const workers = new Set<string>();
  const lines: string[] = [];
  for (const { seq } of places) {
    const row = bySeq.get(seq);
    if (!row) continue;
    const task = taskView(characters === 0 ? { ...row, input_text: null, output_text: null } : row, characters);
    const damaged = characters === 0 ? [] : damagesOf(row);
    lines.push(`${JSON.stringify(damaged.length === 0 ? task : { ...task, damaged })}\n`);
    for (const id of [task.workerId, ...task.retryEntries.map(({ workerId }) => workerId)])
      if (id !== null) workers.add(id);
    if (characters === 0) continue;
    const cut = (['input', 'output'] as const).filter((of) => (row[`${of}_text`]?.length ?? 0) > characters);
    const lengths =
      cut.length === 0 ? undefined : read.query<{ input: number | null; output: number | null }>(LENGTHS).get(seq);
    for (const of of cut) apart.push({ taskId: row.id, of, characters: lengths?.[of] ?? 0 });
  }
  const last = places.at(-1);
  return {
    lines: lines.join(''),
    count: lines.length,
    next: places.length < size || !last ? null : { replica: last.replica, item: last.item, seq: last.seq },
    apart,
    workers: [...workers],
  };
}

/** Failure groups that a job belongs to. */
export const listFailureGroups = (read: ReadHandle, job: number): string[] =>
  read
    .query<{ group_id: string }>('SELECT group_id FROM failure_job WHERE job = ? ORDER BY group_id')
    .all(job)
    .map(({ group_id }) => group_id);
