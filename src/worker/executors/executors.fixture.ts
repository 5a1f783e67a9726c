import { LIMITS } from '../../contract/limits.ts';
import { workerLimits, type HttpPolicy, type LeasedNode, type LeasedSecret } from '../../contract/worker-protocol.ts';
import type { Outcome, TaskRun, Tools } from './executor.ts';
import { openCodeThread } from '../code/open-thread.ts';
import { createHttpClient } from './http-client.ts';
import { EXECUTORS } from './executors.ts';
import { openExpressionChild } from '../expressions/open-process.ts';
import { createExpressions } from '../expressions/expressions.ts';
import { payloadOf } from '../payload.ts';
import { createMeter } from '../telemetry.ts';
import { createPool } from '../isolation/pool.ts';
import { createVault } from '../secrets.ts';
import { createFill } from '../expressions/fill-template.ts';

export interface Logged {
  level: string;
  message: string;
  fields: Record<string, unknown> | undefined;
}

/** Real tools with real threads, and a way to run one node. */
export function executorTools(
  seconds = 2,
  more: { policy?: Partial<HttpPolicy>; secrets?: Record<string, LeasedSecret> } = {},
): {
  readonly tools: Tools;
  close(): Promise<void>;
  logged: Logged[];
  run(
    type: string,
    config: Record<string, unknown>,
    input: unknown,
    signal?: AbortSignal,
    item?: number | null,
  ): Promise<Outcome>;
} {
  const limits = {
    ...workerLimits(LIMITS),
    codeMemoryBytes: 32 * 1024 * 1024,
    codeTimeoutSeconds: 2,
    expressionSeconds: seconds,
    expressionMemoryBytes: 64 * 1024 * 1024,
    taskOutputBytes: 1e6,
    httpBodyBytes: 1000,
  };
  const threads = createPool({ most: 4, keep: 1, open: openCodeThread });
  const processes = createPool({
    most: 4,
    keep: 0,
    open: (events) => openExpressionChild(events, limits.expressionMemoryBytes),
  });
  const expressions = createExpressions(processes, limits);
  const http = createHttpClient({ allowPrivate: true, allow: [], ...more.policy });
  const vault = createVault();
  vault.learn(more.secrets ?? {});
  const logged: Logged[] = [];
  const tools: Tools = {
    expressions,
    threads,
    fill: createFill(expressions),
    http,
    limits,
    version: '0.0.0',
    handlers: new Map(),
    meter: createMeter(),
  };
  return {
    tools,
    async close() {
      http.close();
      await Promise.all([threads.close(), processes.close()]);
    },
    logged,
    async run(type, config, input, signal = new AbortController().signal, item: number | null = null) {
      const node: LeasedNode = { id: 'n', type, name: 'n', config, runTimeoutSeconds: 60 };
      const task: TaskRun = {
        id: 't',
        attempt: 1,
        lease: { jobId: 'j', workflowId: 'w', environment: 'dev', item },
        node,
        input: payloadOf(input),
        signal: () => signal,
        secret: (name) => vault.secret(more.secrets, name),
        holdsSecret: (text) => vault.redactor.text(text) !== text,
        log: (_source, level, message, fields) => logged.push({ level, message, fields }),
      };
      const executor = EXECUTORS[type];
      if (!executor) throw new Error(`no executor ${type}`);
      return executor(task, tools);
    },
  };
}
