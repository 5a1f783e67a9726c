import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseStored } from '../../../lib/json.ts';
import { Fault } from '../../../lib/fault.ts';
import type { PackedInputs } from '../../../lib/packed-inputs.ts';
import type { ReadHandle } from '../../store/port.ts';
import type { Runnable } from '../../workflows/port.ts';
import type { Plan } from '../engine/plan.ts';
import type { Submission } from '../port.ts';
import { inputsOf } from '../rerun/inputs.ts';
import { rerunVersion } from '../rerun/version.ts';
import type { JobRow } from '../engine/rows.ts';
import { JOB_BY_ID, JOB_BY_SEQ } from '../engine/sql.ts';
import { HAS_RERUN, rerunRefusal, rerunRefusalText } from './rerun-rule.ts';
import { jobFactsFromRow } from '../engine/load-records.ts';
import type { RerunChoice } from './port.ts';
import type { Origin, Versions } from '../rerun/port.ts';

/** Jobs that one turn prepares, and how much of inputs together, about. */
const MAX_JOBS = 24;
const MAX_BYTES = 1024 * 1024;

export interface RerunDeps {
  readonly read: ReadHandle;
  readonly versions: Versions;
  plan(workflowId: string, commit: string): Plan;
  /** Checks inputs against the schema of a version, off the event loop. Throws INPUT_INVALID. */
  check(runnable: Runnable, inputs: PackedInputs): Promise<void>;
}

/** A job of an operation, ready to be begun in a turn of the engine; or why it is left alone. */
export type PreparedRerun =
  | { readonly jobId: string; readonly code: string; readonly message: string }
  | { readonly jobId: string; readonly entry: number | string; readonly submission: Submission; readonly plan: Plan };

/** The next jobs of an operation: all that takes time or has to be waited for is done here, before the turn that begins them. */
export async function prepareReruns(
  deps: RerunDeps,
  choice: RerunChoice,
  entries: readonly (number | string)[],
  most: number = MAX_JOBS,
): Promise<PreparedRerun[]> {
  const prepared: PreparedRerun[] = [];
  let bytes = 0;
  for (const entry of entries.slice(0, most)) {
    const one = await prepare(deps, choice, entry);
    prepared.push(one);
    // Packed by `prepare`.
    if ('submission' in one) bytes += sizeOf(one.submission.inputs as PackedInputs);
    if (bytes >= MAX_BYTES) break;
    await nextTurn();
  }
  return prepared;
}

async function prepare(deps: RerunDeps, choice: RerunChoice, entry: number | string): Promise<PreparedRerun> {
  const row = rowOf(deps.read, entry);
  if (!row)
    return {
      jobId: typeof entry === 'string' ? entry : `#${entry}`,
      code: 'NOT_FOUND',
      message: 'job not found, or deleted by retention',
    };
  const jobId = row.id;
  const refused = rerunRefusal(
    choice,
    row.kind,
    jobFactsFromRow(row),
    () => deps.read.query(HAS_RERUN).get(jobId) !== undefined,
  );
  if (refused) return { jobId, code: refused, message: rerunRefusalText(refused) };
  const version = rerunVersion(deps.versions, rerunOrigin(row), choice.commit);
  if ('fault' in version) return { jobId, code: version.reason, message: version.fault.message };
  const { runnable } = version;
  const inputs = await checkedInputs(deps, row, runnable);
  if ('code' in inputs) return { jobId, ...inputs };
  const submission: Submission = {
    runnable,
    environment: row.environment,
    kind: 'batch',
    inputs,
    externalId: row.external_id,
    labels: row.labels === null ? null : parseStored<Record<string, string>>(row.labels),
    priority: row.priority,
    replicaRunTimeoutSeconds: row.replica_timeout_s,
    idempotency: null,
    lineage: { rerunOf: jobId, rerunNode: null, parentTaskId: null, parentJobId: null, depth: 0 },
  };
  return { jobId, entry, submission, plan: deps.plan(runnable.workflowId, runnable.commit) };
}

/** What a job was given, valid by the version it is to run on; or what is wrong. */
export async function checkedInputs(
  deps: RerunDeps,
  row: JobRow,
  runnable: Runnable,
): Promise<PackedInputs | { code: string; message: string }> {
  let inputs: PackedInputs;
  try {
    inputs = await inputsOf(deps.read, row, deps.plan(row.workflow_id, row.commit_hash), null);
  } catch (error) {
    if (error instanceof Fault && error.code === 'VALIDATION_FAILED')
      return { code: 'INPUT_UNKNOWN', message: error.message };
    throw error;
  }
  if (!needsCheck(deps.versions, rerunOrigin(row), runnable)) return inputs;
  try {
    await deps.check(runnable, inputs);
    return inputs;
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'INPUT_INVALID') throw error;
    const [first] = error.errors ?? [];
    return {
      code: 'INPUT_INVALID',
      message: first
        ? `the inputs do not match the input schema of ${runnable.commit.slice(0, 10)}: ${first.pointer.replace(/^\/inputs/, '')} ${first.message}`
        : error.message,
    };
  }
}

/** What a job was given before is valid by its own version, and by every other with the same schema. */
export function needsCheck(versions: Versions, job: Origin, runnable: Runnable): boolean {
  if (runnable.definition.input === undefined || job.commit === runnable.commit) return false;
  const own = job.kind === 'draft' ? null : rerunVersion(versions, job, null);
  return (
    own === null ||
    'fault' in own ||
    JSON.stringify(own.runnable.definition.input) !== JSON.stringify(runnable.definition.input)
  );
}

export const rerunOrigin = (row: JobRow): Origin => ({
  id: row.id,
  workflowId: row.workflow_id,
  environment: row.environment,
  commit: row.commit_hash,
  kind: row.kind,
});

const rowOf = (read: ReadHandle, entry: number | string): JobRow | undefined =>
  typeof entry === 'number' ? read.query<JobRow>(JOB_BY_SEQ).get(entry) : read.query<JobRow>(JOB_BY_ID).get(entry);

const sizeOf = ({ chunks }: PackedInputs): number => chunks.reduce((sum, { texts }) => sum + texts.length, 0);
