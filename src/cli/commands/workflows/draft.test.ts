import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakeMaster } from '../../process-io.fake.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

/** A master whose draft runs end at the second look. */
const asked: string[] = [];
let error: { node: string; code: string; message: string } | null = null;
const master = fakeMaster(({ method, path, body }) => {
  asked.push(`${method} ${path} ${body}`);
  const ended = method === 'GET';
  const node = {
    node: 'price',
    replica: 0,
    state: 'COMPLETED',
    ms: 12,
    input: {},
    output: { sum: 3 },
    error: null,
    port: null,
    standIn: false,
    items: null,
    taskId: 't',
  };
  return {
    jobId: 'j',
    workflowId: 'orders',
    status: error ? 'FAILED' : 'COMPLETED',
    createdAt: '',
    finishedAt: ended ? '2026-01-01T00:00:00.000Z' : null,
    durationMs: 20,
    output: error ? null : [{ sum: 3 }],
    error: ended ? error : null,
    nodes: [node, { ...node, node: 'call', standIn: true }],
    leftOut: 0,
  };
});
const yardmaster = (...args: string[]) => master.yardmaster(args);
const folder = temporaryFolder('draft');
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};

it('workflow run-draft runs a file on its sample, or on inputs, and waits for the end', async () => {
  const definition = { schemaVersion: 1, name: 'Orders' };
  const workflow = file('orders.workflow.json', { id: 'orders', name: 'Orders', sample: [{ a: 1 }], definition });
  const shown = await yardmaster('workflow', 'run-draft', workflow);
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/price +0 +COMPLETED +12 ms +\{"sum":3\}/);
  expect(shown.out).toContain('call (stand-in)');
  await yardmaster(
    'workflow',
    'run-draft',
    workflow,
    '--input',
    file('one.json', { b: 2 }),
    '--up-to',
    'price',
    '--effects',
    '--outputs',
    file('outputs.json', { call: 1 }),
  );
  expect(asked).toEqual([
    `POST /api/v1/workflows/orders/draft-runs ${JSON.stringify({ definition, inputs: [{ a: 1 }] })}`,
    'GET /api/v1/workflows/orders/draft-runs/j ',
    `POST /api/v1/workflows/orders/draft-runs ${JSON.stringify({ definition, inputs: [{ b: 2 }], upTo: 'price', effects: 'run', outputs: { call: 1 } })}`,
    'GET /api/v1/workflows/orders/draft-runs/j ',
  ]);
});

it('exits 1 where a node fails, and 2 where nothing is said to run it on', async () => {
  error = { node: 'price', code: 'TASK_ERROR', message: 'no such thing' };
  const failed = await yardmaster(
    'workflow',
    'run-draft',
    file('bare.json', { schemaVersion: 1, name: 'Bare' }),
    '--id',
    'orders',
    '--input',
    file('two.json', [1, 2]),
  );
  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('price failed: TASK_ERROR: no such thing') });
  expect(
    (await yardmaster('workflow', 'run-draft', file('bare.json', { schemaVersion: 1, name: 'Bare' }), '--id', 'orders'))
      .code,
  ).toBe(2);
});
