import type { Limits } from '../../contract/limits.ts';
import type { RunKind } from '../../contract/vocabulary.ts';
import { iso } from '../../lib/clock.ts';
import { errorMessage } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { parseJson } from '../../lib/json.ts';
import type { Expressions } from '../expressions/port.ts';
import type { Jobs, OnceWrites } from '../jobs/port.ts';
import type { Store } from '../store/port.ts';
import type { Runnable, Workflows } from '../workflows/port.ts';
import { specOf, type ScheduleRow } from './rows.ts';
import * as sql from './sql.ts';

export interface StartDeps {
  readonly store: Store;
  readonly jobs: Pick<Jobs, 'submitOnce' | 'kill'>;
  readonly workflows: Pick<Workflows, 'endpoint'>;
  readonly expressions: Pick<Expressions, 'evaluate'>;
  /** Throws INPUT_INVALID. */
  checkInputs(runnable: Runnable, inputs: readonly unknown[]): Promise<void>;
  readonly limits: Readonly<Limits>;
  now(): number;
}

/** Starts the job of one due time; null: it was not claimed. Throws what keeps it from starting. */
export async function startJob(
  deps: StartDeps,
  row: ScheduleRow,
  due: number,
  kind: RunKind,
  writes: OnceWrites & {
    /** Nothing but the store keeps it from starting. */
    ready?(): Promise<void>;
  },
): Promise<{ jobId: string } | null> {
  const { workflow_id: workflowId, environment, id } = row;
  const spec = specOf(row);
  const endpoint = deps.workflows.endpoint(workflowId, environment);
  if (endpoint.found === 'workflow-unknown')
    throw new Fault('WORKFLOW_NOT_FOUND', `workflow ${workflowId} not found; it may be archived`);
  if (endpoint.found === 'not-published')
    throw new Fault('NOT_PUBLISHED', `workflow ${workflowId} is not published to ${environment}; publish a version`);
  const { runnable } = endpoint;
  const inputs = spec.inputs === null ? await evaluated(deps, row, due) : parseJson<unknown[]>(spec.inputs);
  await deps.checkInputs(runnable, inputs);
  await writes.ready?.();
  return deps.jobs.submitOnce(
    {
      runnable,
      environment,
      kind: 'batch',
      inputs,
      externalId: null,
      labels: { ...spec.labels },
      priority: spec.priority,
      startedBy: { kind: kind === 'backfill' ? 'backfill' : 'schedule', id, dueAt: due },
      replicaRunTimeoutSeconds: null,
    },
    writes,
  );
}

async function evaluated({ expressions, limits }: StartDeps, row: ScheduleRow, due: number): Promise<unknown[]> {
  const { inputExpression, timeZone } = specOf(row);
  const input = {
    dueAt: iso(due),
    scheduleId: row.id,
    workflowId: row.workflow_id,
    environment: row.environment,
    timeZone,
  };
  const text = await expressions.evaluate(inputExpression ?? '', JSON.stringify(input), row.workflow_id);
  if (text === null) throw new Fault('EXPRESSION_FAILED', 'the input expression has no value');
  const value: unknown = parseJson(text);
  const inputs = Array.isArray(value) ? value : [value];
  if (inputs.length > limits.eventInputs)
    throw new Fault(
      'EXPRESSION_FAILED',
      `the input expression gives ${inputs.length} inputs; the maximum is ${limits.eventInputs}`,
    );
  return inputs;
}

/** Faults that go away by themselves: the start is repeated. */
const PASSING: ReadonlySet<string> = new Set([
  'OVERLOADED',
  'STORE_UNAVAILABLE',
  'STORE_FULL',
  'SHUTTING_DOWN',
  'NO_OWNER',
]);
export const isPassing = (error: unknown): boolean => error instanceof Fault && PASSING.has(error.code);

/** Why there is no job, for the history. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Fault)) return `INTERNAL: ${errorMessage(error)}`.slice(0, REASON_CHARACTERS);
  const [first] = error.errors ?? [];
  const at = first === undefined ? '' : ` (${first.pointer} ${first.message})`;
  return `${error.code}: ${error.message}${at}`.slice(0, REASON_CHARACTERS);
}
const REASON_CHARACTERS = 1000;

/** Jobs of a schedule that have not ended, the oldest first. */
export const openJobs = ({ store }: Pick<StartDeps, 'store'>, id: string, most: number): string[] =>
  store.read
    .query<{ id: string }>(sql.OPEN_JOBS)
    .all(id, most)
    .map((job) => job.id);
