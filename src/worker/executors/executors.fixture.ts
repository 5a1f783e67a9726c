import { LIMITS } from '../../contract/limits.ts';
import { workerLimits, type HttpPolicy, type LeasedNode, type LeasedSecret } from '../../contract/worker-protocol.ts';
import type { Outcome, TaskRun } from './executor.ts';
import { createTools, type Tools } from './tools.ts';
import { executorOf } from './executors.ts';
import { payloadFromValue } from '../payload.ts';
import { createSecretVault } from '../secrets.ts';

export interface Logged {
  level: string;
  message: string;
  fields: Record<string, unknown> | undefined;
}

/** Real tools with real threads, and a way to run one node. */
export function createExecutorTools(
  seconds = 2,
  more: { policy?: Partial<HttpPolicy>; secrets?: Record<string, LeasedSecret>; trace?: string; taskId?: string } = {},
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
  const vault = createSecretVault();
  vault.add(more.secrets ?? {});
  const logged: Logged[] = [];
  const tools = createTools({
    limits,
    httpPolicy: { allowPrivate: true, allow: [], ...more.policy },
    codeThreads: 4,
    expressionProcesses: 4,
    handlers: new Map(),
    version: '0.0.0',
  });
  return {
    tools,
    close: tools.close,
    logged,
    async run(type, config, input, signal = new AbortController().signal, item: number | null = null) {
      const node: LeasedNode = { id: 'n', type, name: 'n', config, runTimeoutSeconds: 60 };
      const task: TaskRun = {
        id: more.taskId ?? 't',
        attempt: 1,
        lease: {
          jobId: 'j',
          workflowId: 'w',
          environment: 'dev',
          item,
          ...(more.trace === undefined ? {} : { trace: more.trace }),
        },
        node,
        input: payloadFromValue(input),
        signal: () => signal,
        secret: (name) => vault.secret(more.secrets, name),
        shown: (text) => vault.redactorFor(more.secrets).text(text),
        log: (_source, level, message, fields) => logged.push({ level, message, fields }),
      };
      const executor = executorOf(type);
      if (!executor) throw new Error(`no executor ${type}`);
      return executor(task, tools);
    },
  };
}
