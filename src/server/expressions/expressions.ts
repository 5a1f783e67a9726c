import type { Limits } from '../../contract/limits.ts';
import { Fault } from '../../lib/fault.ts';
import { FairQueue } from './fair-queue.ts';
import { openProcess, type ExpressionProcess } from './process.ts';
import type { Expressions } from './port.ts';

interface Ask {
  readonly source: string;
  readonly input: string;
  readonly settle: PromiseWithResolvers<string | null>;
}

/**
 * Processes at most: an expression that runs into its time limit holds one of them meanwhile. Neither the expressions of one
 * workflow nor those of one project hold all of them.
 */
const MOST = 4;
const MOST_OF_PROJECT = 3;
const MOST_OF_WORKFLOW = 2;
/** Characters of inputs that wait, where each counts as some at least. */
const MAX_WAITING = 64 * 1024 * 1024;
const LEAST = 64 * 1024;
const IDLE_MS = 60_000;

/**
 * Evaluates one expression at a time in each of its processes, which are started when they are needed and end after an idle
 * minute (docs/decisions/0011). A process that breaks, or is ended because of its expression, takes no other one along.
 */
export function createExpressions({
  limits,
  projectOf,
  open = openProcess,
}: {
  limits: Readonly<Pick<Limits, 'masterExpressionSeconds' | 'expressionMemoryBytes' | 'bodyBytes'>>;
  /** Null: there is no such workflow. */
  projectOf(workflowId: string): string | null;
  /** For tests. */
  open?: typeof openProcess;
}): Expressions {
  const queue = new FairQueue<Ask>({
    inAll: MOST,
    ofProject: MOST_OF_PROJECT,
    ofWorkflow: MOST_OF_WORKFLOW,
    waiting: MAX_WAITING,
  });
  const idle: ExpressionProcess[] = [];
  const all = new Set<ExpressionProcess>();
  let closed = false;

  function next(): void {
    while (!closed) {
      const turn = queue.take();
      if (turn === null) return;
      void run(idle.pop() ?? start(), turn.item).finally(() => {
        queue.done(turn.asker);
        next();
      });
    }
  }

  function start(): ExpressionProcess {
    const process = open(limits.expressionMemoryBytes);
    all.add(process);
    return process;
  }

  async function run(process: ExpressionProcess, { source, input, settle }: Ask): Promise<void> {
    const timeoutMs = limits.masterExpressionSeconds * 1000;
    const outcome = await process.run({ source, input, timeoutMs, outputBytes: limits.bodyBytes });
    if (outcome.kind === 'ended') all.delete(process);
    else keepForAWhile(process);
    if (outcome.kind === 'value') settle.resolve(outcome.text === '' ? null : outcome.text);
    else settle.reject(new Fault('EXPRESSION_FAILED', outcome.message));
  }

  function keepForAWhile(process: ExpressionProcess): void {
    idle.push(process);
    process.whenIdle(IDLE_MS, () => {
      const at = idle.indexOf(process);
      if (at < 0) return;
      idle.splice(at, 1);
      all.delete(process);
      void process.end();
    });
  }

  return {
    evaluate(source, input, workflowId) {
      if (closed) return Promise.reject(new Fault('SHUTTING_DOWN', 'the master is shutting down'));
      const settle = Promise.withResolvers<string | null>();
      const asker = { project: projectOf(workflowId) ?? '', workflow: workflowId };
      for (const dropped of queue.add(asker, { source, input, settle }, Math.max(LEAST, input.length)))
        dropped.settle.reject(
          new Fault('OVERLOADED', 'too many expressions of this workflow are waiting: retry later', {
            extra: { retryAfterSeconds: 2 },
          }),
        );
      next();
      return settle.promise;
    },
    async close() {
      closed = true;
      for (const { settle } of queue.drain()) settle.reject(new Fault('SHUTTING_DOWN', 'the master is shutting down'));
      await Promise.all([...all].map((process) => process.end()));
    },
  };
}
