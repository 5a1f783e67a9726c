import { expect, it } from 'vitest';
import { draftIdForWorkflow } from '../contract/draft-ids.ts';
import type { Lease, ShippedLine } from '../contract/worker-protocol.ts';
import { createExecutorTools } from './executors/executors.fixture.ts';
import type { Reporter } from './report.ts';
import { createRunner } from './run.ts';

const SILENT: Reporter = {
  start() {},
  done() {},
  fail() {},
  items() {},
  unconfirmed: () => [],
  attach() {},
  detach() {},
  flush() {},
};

/** Lines of one run of code that logs a warning and throws. */
async function linesOf(workflowId: string): Promise<ShippedLine[]> {
  const { tools, close } = createExecutorTools(60);
  const lines: ShippedLine[] = [];
  const runner = createRunner({
    report: SILENT,
    ship: (line) => void lines.push(line),
    tools,
    standing: { wait: () => null },
    workerId: () => 'w',
  });
  const source = "console.warn('low'); throw new Error('no stock')";
  const node = { id: 'n', type: 'code', name: 'n', config: { source }, runTimeoutSeconds: 600 };
  const lease: Lease = {
    id: 't',
    attempt: 1,
    jobId: 'j',
    workflowId,
    environment: null,
    commit: 'c',
    node: 'n',
    replica: 0,
    item: null,
    input: {},
    chain: [],
  };
  runner.addCommit('c', [node]);
  runner.run([lease]);
  await runner.idle();
  await close();
  return lines;
}

it('logs a failed attempt as an error', async () => {
  expect(await linesOf('orders')).toMatchObject([
    { level: 'WARN', _msg: 'low' },
    { level: 'ERROR', _msg: expect.stringContaining('no stock'), code: 'TASK_ERROR' },
  ]);
});

it('logs a failed attempt of a draft for debugging alone, marks its lines, and leaves those of its code their level', async () => {
  expect(await linesOf(draftIdForWorkflow('orders'))).toMatchObject([
    { level: 'WARN', _msg: 'low', draft: true },
    { level: 'DEBUG', _msg: expect.stringContaining('no stock'), code: 'TASK_ERROR', draft: true },
  ]);
});
