import { errorMessage } from '../../lib/errors.ts';
import { itemAt } from '../../lib/item-at.ts';
import { parseStored } from '../../lib/json.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Limits } from '../../contract/limits.ts';
import { findSecretNames } from '../../contract/secret-names.ts';
import { workerLimits } from '../../contract/worker-protocol.ts';
import { Fault } from '../../lib/fault.ts';
import type { Jobs } from '../jobs/port.ts';
import type { SecretRun, Secrets } from '../secrets/port.ts';
import type { Store } from '../store/port.ts';
import type { Runnable, Workflows } from '../workflows/port.ts';
import {
  compareOutcome,
  externalNodeConfigs,
  externalForeachNodes,
  unknown,
  type OutcomeComparison,
} from './compare-outcome.ts';
import type { ReplayRow } from './rows.ts';
import * as sql from './sql.ts';
import { ReplayProcessCrashed, type ReplayProcess } from './replay-process.ts';

export interface RunDeps {
  readonly store: Store;
  readonly limits: Readonly<Limits>;
  readonly workflows: Pick<Workflows, 'runnable'>;
  readonly jobs: Pick<Jobs, 'recorded' | 'inputText' | 'get'>;
  readonly secrets: Pick<Secrets, 'lease' | 'refusal' | 'recordUses' | 'redactor'>;
  /** Why an input breaks the schema of a commit; null: it does not. */
  refusal(runnable: Pick<Runnable, 'commit' | 'definition'>, input: string): Promise<string | null>;
  now(): number;
}

/** Characters of inputs and outputs that are kept of one replay, and of one of its results. */
const KEPT = { replay: 16 * 1024 * 1024, result: 512 * 1024 };
/** Codes of what may be wrong with a recording, and what they mean to who replays. */
const GONE: Readonly<Record<string, string>> = {
  JOB_NOT_FOUND: 'RECORDING_GONE',
  VALIDATION_FAILED: 'RECORDING_GONE',
  RECORDING_TOO_LARGE: 'RECORDING_TOO_LARGE',
};

const AGAIN_MS = 1000;

type Given = readonly [jobId: string, replica: number, commit: string];

/** Replays what is left of one, input by input; `stopped` is asked before each. */
export async function runReplay(
  { store, limits, workflows, jobs, secrets, refusal, now }: RunDeps,
  row: ReplayRow,
  replayProcess: ReplayProcess,
  stopped: () => boolean,
): Promise<void> {
  const candidate = workflows.runnable(row.workflow_id, row.commit_hash);
  const { definition } = candidate;
  const lists = externalForeachNodes(definition.nodes);
  const names = [
    ...new Set(
      definition.nodes.flatMap((node) => (node.type === 'http' ? [] : findSecretNames(node.type, node.config ?? {}))),
    ),
  ];
  // A version that was published there may use them, as a rerun on it may; any other is a draft.
  const run: SecretRun = {
    workflowId: row.workflow_id,
    environment: row.environment,
    commit: candidate.commit,
    kind: 'batch',
  };
  if (names.length > 0)
    await store.write((db) => {
      if (secrets.refusal(db, names, run) === null)
        secrets.recordUses(db, [{ ...run, jobId: row.id, node: null, names }]);
    });
  const configs = new Map<string, Record<string, string>>();
  const inputs = parseStored<Given[]>(row.inputs);
  let room = KEPT.replay - (store.read.query<{ n: number }>(sql.TEXT_CHARACTERS).get(row.id)?.n ?? 0);

  for (let number = row.done; number < inputs.length; number++) {
    if (stopped()) return;
    const given = itemAt(inputs, number);
    const { judgement, input } = await one(given);
    if (stopped()) return;
    const { before, after } = judgement;
    const size = (input?.length ?? 0) + (before?.length ?? 0) + (after?.length ?? 0);
    const cut = size > KEPT.result || size > room;
    if (!cut) room -= size;
    const facts = JSON.stringify(secrets.redactor.value({ ...judgement.facts, cut }));
    await store.write((db) => {
      db.statement(sql.PUT_RESULT).run(
        row.id,
        number,
        given[0],
        given[1],
        given[2],
        judgement.verdict,
        JSON.stringify(judgement.patterns),
        Number(judgement.complete),
        facts,
      );
      if (!cut) db.statement(sql.PUT_TEXT).run(row.id, number, input, before, after);
      db.statement(sql.PROGRESS).run(number + 1, row.id);
    });
  }
  await store.write((db) => db.statement(sql.END).run('DONE', now(), row.id));

  async function one([jobId, replica, commit]: Given): Promise<{ judgement: OutcomeComparison; input: string | null }> {
    let input: string | null = null;
    try {
      input = await jobs.inputText(jobId, { node: null, replica });
      if (input.length > limits.shadowRecordingBytes)
        throw new Fault('RECORDING_TOO_LARGE', `the input has more than ${limits.shadowRecordingBytes} characters`);
      const forbidden = names.length === 0 ? null : secrets.refusal(store.read, names, run);
      if (forbidden !== null) return { judgement: unknown('SECRET_FORBIDDEN', forbidden), input };
      const recording = await jobs.recorded.text({ jobId, replica }, lists, limits.shadowRecordingBytes);
      const answer = await replayProcess.run(
        {
          definition,
          workflowId: row.workflow_id,
          input,
          refused: await refusal(candidate, input),
          recording,
          configs: configsOf(commit),
          secrets: secrets.lease(names),
          runTimeoutSeconds: limits.runTimeoutSeconds,
          limits: workerLimits(limits),
        },
        limits.shadowInputSeconds,
      );
      return { judgement: compareOutcome(answer), input };
    } catch (error) {
      if (error instanceof ReplayProcessCrashed) return { judgement: unknown(error.code, error.message), input };
      // Whoever works with the master comes first.
      if (error instanceof Fault && error.code === 'OVERLOADED' && !stopped()) {
        await wait(AGAIN_MS);
        return one([jobId, replica, commit]);
      }
      const code = error instanceof Fault ? GONE[error.code] : undefined;
      if (code === undefined) throw error;
      return { judgement: unknown(code, errorMessage(error)), input };
    }
  }

  function configsOf(commit: string): Record<string, string> {
    let known = configs.get(commit);
    if (!known) {
      try {
        known = externalNodeConfigs(workflows.runnable(row.workflow_id, commit).definition.nodes);
      } catch {
        // A commit that a newer check refuses: what its nodes were is not known.
        known = {};
      }
      configs.set(commit, known);
    }
    return known;
  }
}
