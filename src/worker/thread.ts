import { parentPort } from 'node:worker_threads';
import { parseJson } from '../lib/json.ts';
import { expressionError } from './expressions.ts';
import { failureOf, timeoutError } from './failure.ts';
import { compile, isTimeout } from './jsonata.ts';
import { computing } from './numbers.ts';
import { createSandbox } from './sandbox.ts';
import type { ThreadAnswer, ThreadJob } from './thread-protocol.ts';

/** A thread of the worker: one job at a time, each answered once. Ended from outside where a job does not end. */

const sandbox = createSandbox();
const answer = (message: ThreadAnswer) => parentPort?.postMessage(message);

parentPort?.on('message', async (job: ThreadJob) => {
  try {
    answer({ t: 'done', text: job.kind === 'code' ? await sandbox.run(job, (line) => answer({ t: 'log', line })) : await evaluate(job) });
  } catch (error) {
    answer({ t: 'fail', error: failureOf(error) });
  }
});

answer({ t: 'ready' });

async function evaluate(job: Extract<ThreadJob, { kind: 'expression' }>): Promise<string> {
  const { evaluate, structural } = compile(job.source, job.timeoutMs);
  const input = parseJson(job.input);
  try {
    const result = structural ? await evaluate(input) : await computing(input, evaluate);
    return JSON.stringify(result, withoutFunctions) ?? '';
  } catch (error) {
    throw isTimeout(error) ? timeoutError(job.kind, job.timeoutMs) : expressionError(job.source, error);
  }
}

/** Functions of JSONata are no values; like those of JavaScript they are left out. */
function withoutFunctions(_key: string, value: unknown): unknown {
  const { _jsonata_lambda: lambda, _jsonata_function: native } = (value ?? {}) as Record<string, unknown>;
  return lambda === true || native === true ? undefined : value;
}
