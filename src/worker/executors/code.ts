import { findSecretNames } from '../../contract/secret-names.ts';
import { payloadFromText } from '../payload.ts';
import { requireNumber, requireText } from './node-config.ts';
import type { Executor } from './executor.ts';

/** As the definition's schema has it. */
const TIMEOUT_MAX_SECONDS = 3600;

/** The body of an async function `(input, ctx)` in a sandbox of its own, in a thread, so that the worker stays awake. */
export const code: Executor = async (task, { codeThreads: threads, limits }) => {
  const text = await threads.run(
    {
      kind: 'code',
      source: requireText(task.node, 'source'),
      input: task.input.text(),
      attempt: task.attempt,
      taskId: task.id,
      secrets: JSON.stringify(
        Object.fromEntries(findSecretNames('code', task.node.config).map((name) => [name, task.secret(name)])),
      ),
      memoryBytes: limits.codeMemoryBytes,
      outputBytes: limits.taskOutputBytes,
      logLines: limits.codeLogLines,
      timeoutMs: requireNumber(task.node, 'timeoutSeconds', TIMEOUT_MAX_SECONDS, limits.codeTimeoutSeconds) * 1000,
    },
    task.signal(),
    (line) => task.log('task', line.level, line.message, line.fields),
  );
  return { output: payloadFromText(text) };
};
