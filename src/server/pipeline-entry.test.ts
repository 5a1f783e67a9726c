import { connect } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import type { PipelineProcessOptions, RunningPipeline } from '../contract/process.ts';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';
import { startFakeStore } from './logs/pipeline/log-store.fake.ts';
import { startPipeline } from './pipeline-entry.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function start(more: Partial<PipelineProcessOptions>): Promise<RunningPipeline & { lines(): readonly string[] }> {
  const store = await startFakeStore();
  opened.push(store);
  const running = await startPipeline({
    host: '127.0.0.1',
    port: 0,
    data: temporaryFolder('alone'),
    logStore: { url: store.url, credentials: null, caFile: null },
    tenant: null,
    redact: null,
    replicas: 1,
    gzip: false,
    tls: null,
    tokens: null,
    open: false,
    durability: 'normal',
    limits: {},
    log: () => undefined,
    ...more,
  });
  opened.push(running);
  return { ...running, lines: store.messages };
}
async function send(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.resume().end(text);
  await once(socket, 'close');
}

it('takes lines of those alone who bring one of its tokens, and lets them name any job', async () => {
  const pipeline = await start({ tokens: ['x9'.repeat(4) + TOKEN, TOKEN] });
  await send(pipeline.port, '{"msg":"none"}\n');
  await send(pipeline.port, `AUTH ${TOKEN.slice(1)}\n{"msg":"wrong"}\n`);
  await send(pipeline.port, `AUTH ${TOKEN}\n{"msg":"known","job_id":"j"}\n`);
  await expect.poll(pipeline.lines).toEqual(['known']);
  await expect.poll(pipeline.stats).toMatchObject({ accepted: 1, unauthorized: 2, forged: 0 });
});

it('asks for none on loopback where it has none', async () => {
  const pipeline = await start({});
  await send(pipeline.port, '{"msg":"known"}\n');
  await expect.poll(pipeline.lines).toEqual(['known']);
});

it('does not start where others could write or read along, unless told so by name', async () => {
  await expect(start({ host: '0.0.0.0' })).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringMatching(/tokens .* and TLS .*--allow-open/),
  });
  await expect(start({ host: '0.0.0.0', tokens: [TOKEN] })).rejects.toThrow('TLS');
  await expect(start({ tokens: ['hunter2'] })).rejects.toThrow('can be guessed');
  await start({ host: '0.0.0.0', open: true });
});
