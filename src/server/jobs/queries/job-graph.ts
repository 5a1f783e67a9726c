import { BoundedMap } from '../../../lib/bounded-map.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Graph, openTally, type TallyTask } from '../../../contract/graph.ts';
import type { JobGraph } from '../../../contract/jobs.ts';
import type { TaskState } from '../../../contract/vocabulary.ts';
import type { ReadHandle } from '../../store/port.ts';
import type { JobRow } from '../engine/rows.ts';
import { FIRST_TASK, tasksInOrder } from './tasks-in-order.ts';

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
/** Exported for the test of their plans. */
export const TASKS = tasksInOrder<Row>('seq, replica, item, node, state, port, retry_at');

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
    let at = FIRST_TASK;
    for (;;) {
      const rows = TASKS.page(read, job.seq, at, TASKS_PER_TURN);
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
