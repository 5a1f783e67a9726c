import { LIMITS } from '../../contract/limits.ts';
import { workerLimits, type LeasedNode } from '../../contract/worker-protocol.ts';
import type { Outcome, TaskRun, Tools } from '../executors/executor.ts';
import { openCodeThread } from '../code-thread.ts';
import { EXECUTORS } from '../executors/table.ts';
import { openExpressionChild } from '../expression-child.ts';
import { createExpressions } from '../expressions.ts';
import { payloadOf } from '../payload.ts';
import { createPool } from '../pool.ts';
import { createFill } from '../text.ts';


export interface Logged {
  level: string;
  message: string;
  fields: Record<string, unknown> | undefined;
}

/** Real tools with real threads, and a way to run one node. */
export function executorTools(seconds = 2): { close(): Promise<void>; logged: Logged[]; run(type: string, config: Record<string, unknown>, input: unknown, signal?: AbortSignal): Promise<Outcome> } {
  const limits = { ...workerLimits(LIMITS), codeMemoryBytes: 32 * 1024 * 1024, codeTimeoutSeconds: 2, expressionSeconds: seconds, expressionMemoryBytes: 64 * 1024 * 1024, taskOutputBytes: 1e6, httpBodyBytes: 1000 };
  const threads = createPool({ most: 4, keep: 1, open: openCodeThread });
  const processes = createPool({ most: 4, keep: 0, open: (events) => openExpressionChild(events, limits.expressionMemoryBytes) });
  const expressions = createExpressions(processes, limits);
  const logged: Logged[] = [];
  const tools: Tools = { expressions, threads, fill: createFill(expressions), limits, version: '0.0.0' };
  return {
    close: async () => void (await Promise.all([threads.close(), processes.close()])),
    logged,
    async run(type, config, input, signal = new AbortController().signal) {
      const node: LeasedNode = { id: 'n', type, name: 'n', config, runTimeoutSeconds: 60 };
      const task: TaskRun = { id: 't', attempt: 1, node, input: payloadOf(input), signal: () => signal, log: (_source, level, message, fields) => logged.push({ level, message, fields }) };
      const executor = EXECUTORS[type];
      if (!executor) throw new Error(`no executor ${type}`);
      return executor(task, tools);
    },
  };
}
