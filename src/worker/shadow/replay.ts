import type { Recording, ReplayResult, ReplayRequest } from '../../contract/replay.ts';
import { OUTSIDE_TYPES } from '../../contract/node-types.ts';
import type { LeasedNode } from '../../contract/worker-protocol.ts';
import { parseJson } from '../../lib/json.ts';
import { executorOf } from '../executors/executors.ts';
import type { Outcome, TaskRun } from '../executors/executor.ts';
import type { Tools } from '../executors/tools.ts';
import { TaskExecutionError } from '../task-execution-error.ts';
import { payloadFromText, type Payload } from '../payload.ts';
import { createSecretVault } from '../secrets.ts';
import { createRecordedAnswers } from './recorded-answers.ts';
import { findDifferences } from './differences.ts';
import { walkGraph, type NodeEnd } from './walk-graph.ts';

const DIFFERENCES = { items: 50, patterns: 50, characters: 300 };
const NONE = { items: [], patterns: [], total: 0, complete: true };
/** What code reads as its own task; the same in every trial. */
const TASK_ID = '00000000-0000-7000-8000-000000000000';
/** A timer of more than 24 days would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs one recorded input through a definition and tells what came out differently. */
export async function replayInput(ask: ReplayRequest, tools: Tools): Promise<ReplayResult> {
  const recording: Recording = JSON.parse(ask.recording);
  if (ask.refused !== null) {
    const failure = {
      node: ask.definition.nodes.find(({ type }) => type === 'input')?.id ?? '',
      code: 'INPUT_INVALID',
      message: ask.refused,
    };
    return {
      recorded: { output: recording.output, failure: recording.failure },
      output: null,
      failure,
      missing: null,
      assumptions: [],
      ms: 0,
      recordedMs: null,
      differences: NONE,
      reached: [],
      taken: [],
      holds: null,
    };
  }
  const vault = createSecretVault();
  vault.add(ask.secrets);
  const answers = createRecordedAnswers(recording, ask);

  async function execute(node: LeasedNode, input: Payload, item: number | null): Promise<Outcome> {
    const stop = new AbortController();
    const task: TaskRun = {
      id: TASK_ID,
      attempt: 1,
      node,
      input,
      lease: { jobId: TASK_ID, workflowId: ask.workflowId, environment: 'dev', item },
      signal: () => stop.signal,
      secret: (name) => vault.secret(ask.secrets, name),
      shown: (text) => vault.redactorFor(ask.secrets).text(text),
      log: () => {},
    };
    const executor = OUTSIDE_TYPES.has(node.type) ? undefined : executorOf(node.type);
    if (executor === undefined)
      throw new TaskExecutionError('INVALID_DAG', `a backtest cannot run nodes of type ${JSON.stringify(node.type)}`);
    return withRunTimeout(executor(task, tools), node.runTimeoutSeconds, stop);
  }

  const { output, nodes, taken } = await walkGraph({
    definition: ask.definition,
    input: ask.input,
    runTimeoutSeconds: ask.runTimeoutSeconds,
    execute,
    answer: answers.answer,
  });
  const failed = nodes.find(({ state }) => state === 'failed');
  const missing = nodes.find(({ state }) => state === 'missing');
  const compared = output !== null && recording.output !== null;
  const differences =
    compared && output !== recording.output
      ? findDifferences(parseJson(recording.output ?? 'null'), parseJson(output ?? 'null'), DIFFERENCES)
      : NONE;
  return {
    recorded: { output: compared && differences.total === 0 ? null : recording.output, failure: recording.failure },
    output,
    failure: failed?.error ? { node: failed.id, ...vault.redactorFor(ask.secrets).value(failed.error) } : null,
    missing: missing?.error ? { node: missing.id, message: missing.error.message } : null,
    assumptions: answers.assumptions,
    ...times(nodes, recording),
    differences,
    reached: nodes.filter(({ state }) => state !== 'skipped' && state !== 'unreached').map(({ id }) => id),
    taken: taken.map(({ from, to, port }) => ({ from, to, ...(port === undefined ? {} : { port }) })),
    holds: output === null || ask.holds === undefined ? null : await doesHold(ask.holds, output, tools),
  };
}

/** As the port of a condition is chosen: JSONata's `$boolean`. */
async function doesHold(expression: string, output: string, { expressions }: Tools): Promise<boolean | string> {
  const stop = new AbortController();
  try {
    const source = `$boolean(${expression}\n)`;
    return (await expressions.evaluate(source, payloadFromText(output), { signal: () => stop.signal })) === true;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What takes longer than its node may run fails as it would in a job, and is stopped. */
async function withRunTimeout<T>(run: Promise<T>, seconds: number, stop: AbortController): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        // Before what is stopped says so in its own words.
        reject(new TaskExecutionError('RUN_TIMEOUT', `the attempt exceeded its run timeout of ${seconds} s`));
        stop.abort();
      },
      Math.min(seconds * 1000, MAX_TIMER_MS),
    );
  });
  try {
    return await Promise.race([run, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Of the nodes that ran here alone: what was given took no time. */
function times(nodes: readonly NodeEnd[], { nodes: recorded }: Recording): { ms: number; recordedMs: number | null } {
  const ran = nodes.filter(({ given, ms }) => !given && ms > 0);
  const before = ran.map(({ id }) => (Object.hasOwn(recorded, id) ? (recorded[id]?.ms ?? null) : null));
  return {
    ms: ran.reduce((sum, { ms }) => sum + ms, 0),
    recordedMs: before.some((ms) => ms === null) ? null : before.reduce<number>((sum, ms) => sum + (ms ?? 0), 0),
  };
}
