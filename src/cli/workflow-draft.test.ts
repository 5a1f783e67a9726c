import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Io } from './io.ts';
import { run } from './program.ts';

/** A master whose draft runs end at the second look. */
let server: Server;
let url: string;
const asked: string[] = [];
let error: { node: string; code: string; message: string } | null = null;
const folder = mkdtempSync(join(tmpdir(), 'draft-'));
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${text}`);
      const ended = request.method === 'GET';
      const node = { node: 'price', replica: 0, state: 'COMPLETED', ms: 12, input: {}, output: { sum: 3 }, error: null, port: null, standIn: false, items: null, taskId: 't' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jobId: 'j', workflowId: 'orders', status: error ? 'FAILED' : 'COMPLETED', createdAt: '', finishedAt: ended ? '2026-01-01T00:00:00.000Z' : null, durationMs: 20, output: error ? null : [{ sum: 3 }], error: ended ? error : null, nodes: [node, { ...node, node: 'call', standIn: true }], leftOut: 0 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function yardmaster(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const io: Io = { env: {}, out: (line) => void out.push(line), err: (line) => void err.push(line), write: async () => {}, stdin: async () => '', interactive: false, load: async () => ({}), stopped: new AbortController().signal, onParentGone: () => {}, columns: null };
  return { code: await run([...args, '--url', url, '--token', 't'], io), out: out.join('\n'), err: err.join('\n') };
}

it('workflow run-draft runs a file on its sample, or on inputs, and waits for the end', async () => {
  const definition = { schemaVersion: 1, name: 'Orders' };
  const workflow = file('orders.workflow.json', { id: 'orders', name: 'Orders', sample: [{ a: 1 }], definition });
  const shown = await yardmaster('workflow', 'run-draft', workflow);
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/price +0 +COMPLETED +12 ms +\{"sum":3\}/);
  expect(shown.out).toContain('call (stand-in)');
  await yardmaster('workflow', 'run-draft', workflow, '--input', file('one.json', { b: 2 }), '--up-to', 'price', '--effects', '--outputs', file('outputs.json', { call: 1 }));
  expect(asked).toEqual([
    `POST /api/v1/workflows/orders/draft-runs ${JSON.stringify({ definition, inputs: [{ a: 1 }] })}`,
    'GET /api/v1/workflows/orders/draft-runs/j ',
    `POST /api/v1/workflows/orders/draft-runs ${JSON.stringify({ definition, inputs: [{ b: 2 }], upTo: 'price', effects: 'run', outputs: { call: 1 } })}`,
    'GET /api/v1/workflows/orders/draft-runs/j ',
  ]);
});

it('exits 1 where a node fails, and 2 where nothing is said to run it on', async () => {
  error = { node: 'price', code: 'TASK_ERROR', message: 'no such thing' };
  const failed = await yardmaster('workflow', 'run-draft', file('bare.json', { schemaVersion: 1, name: 'Bare' }), '--id', 'orders', '--input', file('two.json', [1, 2]));
  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('price failed: TASK_ERROR: no such thing') });
  expect((await yardmaster('workflow', 'run-draft', file('bare.json', { schemaVersion: 1, name: 'Bare' }), '--id', 'orders')).code).toBe(2);
});
