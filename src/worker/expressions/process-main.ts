import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { isRecord } from '../../lib/is-record.ts';
import { parseJson } from '../../lib/json.ts';
import type { IsolateMessage, IsolateJob } from '../isolation/protocol.ts';
import { expressionError } from './expressions.ts';
import { toReportedFailure, TaskExecutionError, timeoutError } from '../task-execution-error.ts';
import { compileExpression, isTimeout } from './compile.ts';
import { rememberLast } from '../../lib/bounded-map.ts';
import { computeWithDoubles } from '../raw-numbers.ts';

/** A process of the worker that evaluates expressions: one job at a time, each answered once; ended from outside where one does not end. */

type ExpressionJob = Extract<IsolateJob, { kind: 'expression' }>;

const COMPILED = 200;
/** How often it looks whether its worker still lives. */
const ORPHAN_MS = 1000;

const answer = (message: IsolateMessage) => process.send?.(message);
const byTimeout = rememberLast(4, (timeoutMs) =>
  rememberLast(COMPILED, (source: string) => compileExpression(source, Number(timeoutMs))),
);

process.title = 'yardmaster expressions';
process.on('disconnect', () => process.exit(0));
process.on('message', async (job: ExpressionJob) => {
  try {
    answer({ t: 'done', text: await evaluate(job) });
  } catch (error) {
    answer({ t: 'fail', error: toReportedFailure(error) });
  }
});
preferForOomKill();
endWithWorker();
answer({ t: 'ready' });

async function evaluate(job: ExpressionJob): Promise<string> {
  const { evaluate, structural } = byTimeout(String(job.timeoutMs))(job.source);
  const input = parseJson(job.input);
  let text: string;
  try {
    const result = structural ? await evaluate(input) : await computeWithDoubles(input, evaluate);
    text = JSON.stringify(result, withoutFunctions) ?? '';
  } catch (error) {
    throw isTimeout(error) ? timeoutError(job.kind, job.timeoutMs) : expressionError(job.source, error);
  }
  if (text.length > job.outputBytes)
    throw new TaskExecutionError(
      'NON_RETRYABLE',
      `the expression returned ${text.length} characters of JSON; a task may return at most ${job.outputBytes} bytes`,
    );
  return text;
}

/** Functions of JSONata are no values; like those of JavaScript they are left out. */
function withoutFunctions(_key: string, value: unknown): unknown {
  const isFunction = isRecord(value) && (value['_jsonata_lambda'] === true || value['_jsonata_function'] === true);
  return isFunction ? undefined : value;
}

/** Where the machine itself runs out of memory, this process goes first. Linux has that. */
function preferForOomKill(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // A sandbox without /proc: the kernel then chooses by size alone.
  }
}

/** An expression that holds the event loop would outlive a worker that was killed: a thread looks after that. */
function endWithWorker(): void {
  const look = `const parent = process.ppid; setInterval(() => { let gone = process.ppid !== parent; try { process.kill(parent, 0) } catch { gone = true } if (gone) process.kill(process.pid, 'SIGKILL') }, ${ORPHAN_MS})`;
  new Worker(look, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 } }).unref();
}
