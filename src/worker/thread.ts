import { parentPort } from 'node:worker_threads';
import { parseJson } from '../lib/json.ts';
import { expressionError } from './expressions.ts';
import { failureOf, TaskError, timeoutError } from './failure.ts';
import { compile, isTimeout } from './jsonata.ts';
import { computing } from './numbers.ts';
import { loadSandbox, runInSandbox, type Sandbox } from './sandbox.ts';
import type { ThreadAnswer, ThreadJob } from './thread-protocol.ts';

/** A thread of the worker: one job at a time, each answered once. Ended from outside where a job does not end. */

let sandbox: Promise<Sandbox> | undefined;
const answer = (message: ThreadAnswer) => parentPort?.postMessage(message);

parentPort?.on('message', async (job: ThreadJob) => {
  try {
    answer({ t: 'done', text: job.kind === 'code' ? await runCode(job) : await evaluate(job) });
  } catch (error) {
    answer({ t: 'fail', error: failureOf(error), broken: !(error instanceof TaskError) });
  }
});

async function runCode(job: Extract<ThreadJob, { kind: 'code' }>): Promise<string> {
  return runInSandbox(await (sandbox ??= loadSandbox()), job, (line) => answer({ t: 'log', line }));
}

async function evaluate(job: Extract<ThreadJob, { kind: 'expression' }>): Promise<string> {
  const { evaluate, structural } = compile(job.source, job.timeoutMs);
  const input = parseJson(job.input);
  try {
    const result = structural ? await evaluate(input) : await computing(input, evaluate);
    return JSON.stringify(result) ?? '';
  } catch (error) {
    throw isTimeout(error) ? timeoutError(job.kind, job.timeoutMs) : expressionError(job.source, error);
  }
}

// The sandbox takes a moment to load: it is ready before the first code arrives.
void (sandbox ??= loadSandbox());
