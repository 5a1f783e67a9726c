import { setImmediate as nextTurn } from 'node:timers/promises';
import { spanIdOf, traceIdOf } from '../lib/trace-context.ts';
import { isDraftId } from '../contract/draft-ids.ts';
import type { LogLevel } from '../contract/vocabulary.ts';
import type { Lease, LeasedNode } from '../contract/worker-protocol.ts';
import { executorOf, SUPPORTED_TYPES } from './executors/executors.ts';
import type { Outcome, TaskRun } from './executors/executor.ts';
import type { Tools } from './executors/tools.ts';
import { toReportedFailure, TaskExecutionError } from './task-execution-error.ts';
import { payloadFromValue, type Payload } from './payload.ts';
import { splitItems, type Reporter } from './report.ts';
import { createSecretVault } from './secrets.ts';
import type { ShipLine } from './log-shipper.ts';
import type { Standing } from './standing.ts';

export interface Runner {
  /** Nodes of a commit, sent before its first lease. */
  addCommit(commit: string, nodes: LeasedNode[]): void;
  run(leases: Lease[]): void;
  /** Stops these tasks and what would follow them in their chains. Nothing is reported for them: the master has decided. */
  stop(ids: string[], why: string): void;
  /** Stops what runs under these leases; a newer attempt of the same task goes on. */
  loseLeases(ids: string[], attempts: number[]): void;
  /** Leases that run or wait in a chain. */
  heldLeases(): { id: string; attempt: number }[];
  /** Those that run, and since when. */
  runningTasks(): { id: string; attempt: number; startedAt: number }[];
  /** Chains under way, each of which holds a slot. */
  readonly running: number;
  /** Resolves once nothing runs. */
  idle(): Promise<void>;
}

/** The worker stops a run by itself this long after its limit, should the master's own decision not arrive. */
const GUARD_GRACE_MS = 5000;

interface Chain {
  lease: Lease;
  /** Task that runs now. */
  id: string;
  attempt: number;
  startedAt: number;
  /** Tasks still to run, in order. */
  rest: Lease['chain'];
  stopped: boolean;
  abort: AbortController | null;
}

export function createRunner(deps: {
  report: Reporter;
  ship: ShipLine;
  tools: Tools;
  standing: Pick<Standing, 'wait'>;
  workerId(): string;
}): Runner {
  const { report, ship, tools, standing } = deps;
  const commits = new Map<string, Map<string, LeasedNode>>();
  const chains = new Set<Chain>();
  const vault = createSecretVault();
  let whenIdle: (() => void)[] = [];

  async function runChain(chain: Chain): Promise<void> {
    const { lease } = chain;
    const nodes = commits.get(lease.commit);
    let payload = payloadFromValue(lease.input);
    for (let node = lease.node; ;) {
      const unsure = standing.wait(() => (chain.abort ??= new AbortController()).signal);
      if (unsure !== null) {
        await unsure;
        if (chain.stopped) return;
      }
      const output = await runTask(chain, nodes?.get(node) ?? node, payload);
      const following = chain.rest.shift();
      if (output === null || following === undefined || chain.stopped) return;
      chain.id = following.id;
      chain.attempt = 1;
      node = following.node;
      payload = output;
    }
  }

  /** One attempt from start to report. Null where the chain ends with it. */
  async function runTask(chain: Chain, node: LeasedNode | string, input: Payload): Promise<Payload | null> {
    const { id, attempt } = chain;
    const startedAt = Date.now();
    chain.startedAt = startedAt;
    report.start(id, attempt, startedAt);
    const task = taskOf(chain, node, input);
    let outcome: Outcome | null = null;
    let text = '';
    let error: unknown;
    try {
      outcome = await execute(task, node);
      text = outcome.output.text();
      if (text.length > tools.limits.taskOutputBytes / 3 && Buffer.byteLength(text) > tools.limits.taskOutputBytes)
        throw new TaskExecutionError(
          'NON_RETRYABLE',
          `the output has ${Buffer.byteLength(text)} bytes; a task may return at most ${tools.limits.taskOutputBytes}`,
        );
    } catch (caught) {
      outcome = null;
      error = caught;
    } finally {
      task.end();
    }
    if (chain.stopped) return null;
    if (outcome === null) {
      const failure = toReportedFailure(error, task.shown);
      // What its author still writes is no failure of the system, and its author sees it.
      const level = isDraftId(chain.lease.workflowId) ? 'DEBUG' : 'ERROR';
      task.log('worker', level, `attempt ${attempt} of ${task.node.id} failed: ${failure.code}: ${failure.message}`, {
        code: failure.code,
        retryable: failure.retryable,
      });
      report.fail(id, attempt, startedAt, Date.now(), failure);
      return null;
    }
    if (outcome.items) {
      await reportItems(chain, outcome.items, startedAt);
      return null;
    }
    report.done(id, attempt, startedAt, Date.now(), text, outcome.port);
    return outcome.output;
  }

  /** Chunk by chunk, so that neither side is held for long by many items. */
  async function reportItems(chain: Chain, items: readonly string[], startedAt: number): Promise<void> {
    for (const chunk of splitItems(items)) {
      if (chain.stopped) return;
      report.items(chain.id, chain.attempt, startedAt, Date.now(), chunk);
      if (chunk.more) await nextTurn();
    }
  }

  async function execute(task: TaskRun, node: LeasedNode | string): Promise<Outcome> {
    if (typeof node === 'string')
      throw new TaskExecutionError('TASK_ERROR', `the master did not send node ${node} of this commit`);
    const executor = executorOf(node.type);
    if (executor === undefined)
      throw new TaskExecutionError(
        'INVALID_DAG',
        `this worker does not support node type ${JSON.stringify(node.type)}; supported types: ${SUPPORTED_TYPES.join(', ')}`,
      );
    return executor(task, tools);
  }

  function taskOf(chain: Chain, node: LeasedNode | string, input: Payload): TaskRun & { end(): void } {
    const { id, attempt, lease } = chain;
    const known =
      typeof node === 'string' ? { id: node, type: '', name: node, config: {}, runTimeoutSeconds: 0 } : node;
    let guard: NodeJS.Timeout | undefined;
    const redactor = () => vault.redactorFor(lease.secrets);
    const ofTrace =
      lease.trace === undefined ? {} : { trace_id: traceIdOf(lease.trace), span_id: spanIdOf(id, attempt) };
    return {
      id,
      attempt,
      lease,
      node: known,
      input,
      signal() {
        chain.abort ??= new AbortController();
        guard ??= setTimeout(
          () => stopChain(chain, 'RUN_TIMEOUT'),
          Math.min(known.runTimeoutSeconds * 1000 + GUARD_GRACE_MS, 2 ** 31 - 1),
        ).unref();
        return chain.abort.signal;
      },
      secret: (name) => vault.secret(lease.secrets, name),
      shown: (text) => redactor().text(text),
      log: (source: 'task' | 'worker', level: LogLevel, message: string, fields: Record<string, unknown> = {}) =>
        ship({
          ...redactor().value(fields),
          _time: new Date().toISOString(),
          _msg: redactor().text(message),
          level,
          job_id: lease.jobId,
          task_id: id,
          worker_id: deps.workerId(),
          source,
          attempt,
          node: known.id,
          workflow_id: lease.workflowId,
          ...(isDraftId(lease.workflowId) ? { draft: true } : {}),
          ...ofTrace,
        }),
      end: () => clearTimeout(guard),
    };
  }

  function stopChain(chain: Chain, why: string): void {
    chain.stopped = true;
    chain.rest.length = 0;
    chain.abort ??= new AbortController();
    chain.abort.abort(Object.assign(new Error(`the task was stopped: ${why}`), { name: 'AbortError', code: why }));
  }

  return {
    addCommit(commit, nodes) {
      commits.set(commit, new Map(nodes.map((node) => [node.id, node])));
    },
    run(leases) {
      for (const lease of leases) {
        if (lease.secrets) vault.add(lease.secrets);
        // An older attempt of the same task that still runs has lost its lease.
        if (lease.attempt > 1) for (const older of chains) if (older.id === lease.id) stopChain(older, 'LEASE_LOST');
        const chain: Chain = {
          lease,
          id: lease.id,
          attempt: lease.attempt,
          startedAt: 0,
          rest: [...lease.chain],
          stopped: false,
          abort: null,
        };
        chains.add(chain);
        void runChain(chain).finally(() => {
          chains.delete(chain);
          if (chains.size > 0) return;
          for (const resolve of whenIdle) resolve();
          whenIdle = [];
        });
      }
    },
    stop(ids, why) {
      const gone = new Set(ids);
      for (const chain of chains) {
        const at = chain.rest.findIndex(({ id }) => gone.has(id));
        if (gone.has(chain.id)) stopChain(chain, why);
        else if (at >= 0) chain.rest.length = at;
      }
    },
    loseLeases(ids, attempts) {
      const lost = new Map(ids.map((id, i) => [id, attempts[i]]));
      for (const chain of chains) {
        const at = chain.rest.findIndex(({ id }) => lost.get(id) === 1);
        if (lost.get(chain.id) === chain.attempt) stopChain(chain, 'LEASE_LOST');
        else if (at >= 0) chain.rest.length = at;
      }
    },
    heldLeases: () =>
      [...chains].flatMap((chain) =>
        chain.stopped
          ? []
          : [{ id: chain.id, attempt: chain.attempt }, ...chain.rest.map(({ id }) => ({ id, attempt: 1 }))],
      ),
    runningTasks: () =>
      [...chains].flatMap(({ id, attempt, startedAt, stopped }) => (stopped ? [] : [{ id, attempt, startedAt }])),
    get running() {
      return chains.size;
    },
    idle: () => (chains.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
  };
}
