import { BoundedMap } from '../../../lib/bounded-map.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Graph, openTally, type TallyTask } from '../../../contract/graph.ts';
import type { JobGraph } from '../../../contract/jobs.ts';
import type { TaskState } from '../../../contract/vocabulary.ts';
import type { ReadHandle } from '../../store/port.ts';
import type { JobRow } from '../engine/rows.ts';

/** Tasks read in one turn of the event loop: a few milliseconds. */
const TASKS_PER_TURN = 1000;
/** Adding a job up again waits for so many times as it took, so that watching a large one costs a small share. */
const REST = 10;
const MAX_KEPT = 100;

interface Row {
  seq: number;
  replica: number;
  item: number | null;
  node: string;
  state: TaskState;
  port: string | null;
  retry_at: number | null;
}
const COLUMNS = 'SELECT seq, replica, item, node, state, port, retry_at FROM task WHERE job = ?';
/** What is left of a replica (its own tasks, then its items), then the replicas after it: as `task_by_job` holds them. Exported for the test of their plans. */
export const REST_OF_REPLICA = `${COLUMNS} AND replica = ? AND item IS NULL AND seq > ? ORDER BY seq LIMIT ?`;
export const REST_OF_ITEMS = `${COLUMNS} AND replica = ? AND (item, seq) > (?, ?) ORDER BY item, seq LIMIT ?`;
export const NEXT_REPLICAS = `${COLUMNS} AND replica > ? ORDER BY replica, item, seq LIMIT ?`;

export interface JobGraphDeps {
  readonly read: ReadHandle;
  graph(workflowId: string, commit: string): Graph;
  /** Monotonic milliseconds. */
  now(): number;
}

interface Kept {
  readonly updatedAt: number;
  readonly until: number;
  readonly answer: Promise<JobGraph>;
}

/** What the tasks of a job came to at each node, added up in steps that leave the event loop free. */
export function createJobGraphs({ read, graph: graphOf, now }: JobGraphDeps): (job: JobRow) => Promise<JobGraph> {
  const kept = new BoundedMap<string, Kept>(MAX_KEPT);

  async function addUp(job: JobRow): Promise<JobGraph> {
    const graph = graphOf(job.workflow_id, job.commit_hash);
    const tally = openTally(graph);
    let own: TallyTask[] = [];
    let at: Pick<Row, 'replica' | 'item' | 'seq'> = { replica: -1, item: null, seq: 0 };
    for (;;) {
      const rows =
        at.item === null ? read.query<Row>(REST_OF_REPLICA).all(job.seq, at.replica, at.seq, TASKS_PER_TURN) : [];
      if (rows.length < TASKS_PER_TURN)
        rows.push(
          ...read
            .query<Row>(REST_OF_ITEMS)
            .all(job.seq, at.replica, at.item ?? -1, at.item === null ? 0 : at.seq, TASKS_PER_TURN - rows.length),
        );
      if (rows.length < TASKS_PER_TURN)
        rows.push(...read.query<Row>(NEXT_REPLICAS).all(job.seq, at.replica, TASKS_PER_TURN - rows.length));
      for (const row of rows) {
        if (own.length > 0 && row.replica !== at.replica) own = (tally.add(own), []);
        own.push({
          node: row.node,
          replica: row.replica,
          item: row.item,
          state: row.state,
          port: row.port,
          retryAt: row.retry_at,
        });
        at = row;
      }
      if (rows.length < TASKS_PER_TURN) break;
      await nextTurn();
    }
    if (own.length > 0) tally.add(own);
    const { nodes, taken } = tally.result(job.input_count);
    return {
      replicas: job.input_count,
      nodes: [...nodes].map(([node, came]) => ({ node, ...came })),
      taken: [...taken],
    };
  }

  return (job) => {
    const known = kept.get(job.id);
    const began = now();
    if (known && (known.updatedAt === job.updated_at || known.until > began)) return known.answer;
    const answer = addUp(job);
    kept.set(job.id, { updatedAt: job.updated_at, until: Infinity, answer });
    const ended = (until: number) =>
      kept.get(job.id)?.answer === answer && kept.set(job.id, { updatedAt: job.updated_at, until, answer });
    answer.then(
      () => ended(now() + (now() - began) * REST),
      () => kept.delete(job.id),
    );
    return answer;
  };
}
