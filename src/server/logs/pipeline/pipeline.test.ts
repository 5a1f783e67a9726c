import { masterTarget } from './settings.ts';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openPipeline, type Pipeline, type PipelineOptions } from './pipeline.ts';
import type { PipelineDamage } from './port.ts';
import { startFakeStore, type FakeStore } from './log-store.fake.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function storeOf(): Promise<FakeStore> {
  const store = await startFakeStore();
  opened.push(store);
  return store;
}
const optionsOf = (store: { url: string }, folder: string): PipelineOptions => ({
  folder,
  host: '127.0.0.1',
  target: masterTarget(store.url, null),
  tls: null,
  lineBytes: 1 << 20,
  heldBytes: 1 << 24,
  connections: 100,
  connectionsPerAddress: 100,
  firstLineMs: 10_000,
  tokenRequired: false,
  queueBytes: 1 << 24,
  batchBytes: 1_000_000,
  flushMs: 20,
  deadLetterBytes: 1 << 20,
  dropWhenFull: false,
  durable: false,
});
async function pipelineOf(
  store: { url: string },
  more: Partial<PipelineOptions> = {},
): Promise<{ pipeline: Pipeline; port: number; folder: string; said: string[]; damages: PipelineDamage[] }> {
  const said: string[] = [];
  const damages: PipelineDamage[] = [];
  const folder = more.folder ?? temporaryFolder('pipeline');
  const pipeline = openPipeline(
    { ...optionsOf(store, folder), ...more },
    (line) => said.push(line),
    () => 0,
    null,
    (damage) => damages.push(damage),
  );
  opened.push({ close: () => pipeline.close(0) });
  return { pipeline, port: await pipeline.listen(0, false), folder, said, damages };
}
const dial = (port: number) =>
  new Promise<Socket>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => {});
  });
async function send(port: number, text: string | Buffer): Promise<void> {
  const socket = await dial(port);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.resume().end(text);
  await closed;
}
async function until(what: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!what()) {
    if (Date.now() > deadline) throw new Error('it did not come to be within 60 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('from the socket to the store', () => {
  it('delivers lines as records, in one batch with an id and its arguments', async () => {
    const store = await storeOf();
    const { pipeline, port } = await pipelineOf(store, {
      target: { ...masterTarget(store.url, 'secret'), gzip: true },
    });
    await send(port, '{"msg":"one","n":1.0}\n\r\n[{"msg":"two"}]\r\nplain text');
    await until(() => store.lines.length === 3);
    expect(store.messages()).toEqual(['one', 'two', 'plain text']);
    expect(store.lines[0]).toContain('"n":1.0');
    expect(store.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-encoding': 'gzip',
      'x-batch-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await until(() => pipeline.stats().delivered === 3);
    expect(pipeline.stats()).toMatchObject({
      accepted: 3,
      delivered: 3,
      retried: 0,
      queueBytes: 0,
      queueLines: 0,
      lagMs: 0,
      unparsed: 1,
    });
  });

  it('keeps batches below their size, and sends a longer line alone', async () => {
    const store = await storeOf();
    const { port } = await pipelineOf(store, { batchBytes: 2000 });
    const lines = Array.from({ length: 100 }, (_, i) =>
      JSON.stringify({ msg: `line ${i}`, pad: 'x'.repeat(i === 50 ? 5000 : 100) }),
    );
    await send(port, `${lines.join('\n')}\n`);
    await until(() => store.lines.length === 100);
    const sizes = store.requests.map(({ lines: own }) => [own.length, own.join('\n').length + 1] as const);
    expect(sizes.filter(([, size]) => size > 2000)).toEqual([[1, expect.any(Number)]]);
    expect(new Set(store.requests.map(({ headers }) => headers['x-batch-id'])).size).toBe(store.requests.length);
  });

  it('keeps the beginning of a line that is too long, with a tag', async () => {
    const store = await storeOf();
    const { pipeline, port } = await pipelineOf(store, { lineBytes: 1000 });
    await send(port, `${'x'.repeat(5000)}\n{"msg":"next"}\n`);
    await until(() => store.lines.length === 2);
    expect(store.records()).toMatchObject([{ _msg: 'x'.repeat(1000), tags: ['_linetoolong'] }, { _msg: 'next' }]);
    expect(pipeline.stats().truncated).toBe(1);
  });

  it('keeps no value of a secret, in messages and fields', async () => {
    const store = await storeOf();
    const { pipeline, port } = await pipelineOf(store);
    pipeline.redact([{ name: 'API_TOKEN', value: 'hunter-22' }]);
    await send(
      port,
      '{"msg":"with hunter-22","n":{"deep":["hunter-22"],"big":12345678901234567890}}\nplain hunter-22\n',
    );
    await until(() => store.lines.length === 2);
    expect(store.records()[0]).toMatchObject({ _msg: 'with [secret API_TOKEN]', n: { deep: ['[secret API_TOKEN]'] } });
    expect(store.lines[0]).toContain('12345678901234567890');
    expect(store.messages()[1]).toBe('plain [secret API_TOKEN]');
  });
});

it('keeps what a sender said that hung up before its token was known', async () => {
  const store = await storeOf();
  const answer = Promise.withResolvers<{ tokenId: string; role: 'worker' }>();
  const pipeline = openPipeline(
    { ...optionsOf(store, temporaryFolder('pipeline')), tokenRequired: true },
    () => {},
    () => 0,
    { identify: () => answer.promise, vouch: () => Promise.reject(new Error('no worker is asked about')) },
  );
  opened.push({ close: () => pipeline.close(0) });
  await send(await pipeline.listen(0, false), 'AUTH yt_w\n{"msg":"one"}\n{"msg":"two"}');
  await until(() => pipeline.stats().connections === 0);
  answer.resolve({ tokenId: 't-1', role: 'worker' });
  await until(() => store.lines.length === 2);
  expect(store.messages()).toEqual(['one', 'two']);
});

describe('a store that does not take it', () => {
  it('keeps on trying with the same id, also where the answer was lost', async () => {
    const store = await storeOf();
    const answers = [
      null,
      [503, 'busy'],
      [429, 'slower'],
      [401, 'who are you'],
      [400, 'unsupported path requested: "/x"'],
    ] as const;
    let asked = 0;
    store.reply(() => (asked < answers.length ? (answers[asked++] as [number, string] | null) : [200, '']));
    const { pipeline, port } = await pipelineOf(store);
    await send(port, '{"msg":"once"}\n');
    await until(() => pipeline.stats().delivered === 1);
    expect(store.messages()).toEqual(['once']);
    expect(new Set(store.requests.map(({ headers }) => headers['x-batch-id'])).size).toBe(1);
    expect(pipeline.stats()).toMatchObject({ retried: 5, dead: 0 });
  });

  it('finds the bad lines of a batch, keeps them as dead letters, and goes on', async () => {
    const store = await storeOf();
    store.reply((lines) => (lines.some((line) => line.includes('poison')) ? [400, 'cannot take it'] : [200, '']));
    const { pipeline, port } = await pipelineOf(store);
    await send(
      port,
      Array.from({ length: 40 }, (_, i) => `{"msg":"${i === 7 || i === 31 ? 'poison' : 'fine'} ${i}"}\n`).join(''),
    );
    await until(() => pipeline.stats().delivered === 38 && pipeline.stats().dead === 2);
    expect(store.messages().sort()).toEqual(
      Array.from({ length: 40 }, (_, i) => `fine ${i}`)
        .filter((text) => !/ (7|31)$/.test(text))
        .sort(),
    );
    const { items, total } = pipeline.listDead(0, 10);
    expect(total).toBe(2);
    expect(items.map(({ status, reason, line }) => [status, reason, JSON.parse(line)._msg])).toEqual([
      [400, 'cannot take it', 'poison 31'],
      [400, 'cannot take it', 'poison 7'],
    ]);

    // Replayed while the store still refuses them, they are dead again; afterwards they are taken.
    expect(await pipeline.replay([items[0]?.id as string])).toBe(1);
    await until(() => pipeline.stats().dead === 3);
    store.reply(() => [200, '']);
    expect(await pipeline.replay(null)).toBe(2);
    await until(() => store.messages().filter((text) => text.startsWith('poison')).length === 2);
    expect(pipeline.listDead(0, 10).total).toBe(0);
  });

  it('takes lines while it replays hundreds of letters, and loses none that is refused again', async () => {
    const store = await storeOf();
    const { pipeline, port, folder } = await pipelineOf(store);
    const letters = Array.from({ length: 600 }, (_, i) => ({
      id: `letter-${i}`,
      at: new Date(i).toISOString(),
      status: 400,
      reason: 'no',
      line: `{"_msg":"letter ${i}"}`,
      bytes: 20,
    }));
    await writeFile(
      join(folder, 'dead-letters.ndjson'),
      letters.map((letter) => `${JSON.stringify(letter)}\n`).join(''),
    );
    store.reply((lines) => (lines.some((line) => line.includes('letter 7"')) ? [400, 'no'] : [200, '']));
    const socket = await dial(port);
    const replay = pipeline.replay(null).then((count) => [count, pipeline.stats().accepted]);
    socket.end('{"msg":"meanwhile"}\n');
    // Asked for once more, it is done after the first.
    const again = pipeline.replay(['letter-1']);
    expect([await replay, await again]).toEqual([[600, 1], 0]);
    await until(() => pipeline.stats().dead === 1 && store.messages().length === 600);
    expect(pipeline.listDead(0, 10)).toMatchObject({ total: 1, items: [{ id: 'letter-7' }] });
  });

  it('knows after a crash which letters were replayed before it', async () => {
    const store = await storeOf();
    const { pipeline, folder } = await pipelineOf(store);
    const line = (letter: object) => `${JSON.stringify(letter)}\n`;
    const letter = (id: string) => ({
      id,
      at: new Date(0).toISOString(),
      status: 400,
      reason: 'no',
      line: `{"_msg":"${id}"}`,
      bytes: 12,
    });
    await writeFile(
      join(folder, 'dead-letters.ndjson'),
      `${line(letter('a'))}${line(letter('b'))}\n${line({ gone: ['a', 'b'] })}\n${line(letter('b'))}{"gone":["b`,
    );
    expect(pipeline.listDead(0, 10).items.map(({ id }) => id)).toEqual(['b']);
    expect(await pipeline.replay(null)).toBe(1);
    await until(() => store.messages().join() === 'b');
    expect(pipeline.listDead(0, 10).total).toBe(0);
  });

  it('keeps dead letters within their bounds, the newest of them', async () => {
    const store = await storeOf();
    store.reply(() => [422, 'no']);
    const { pipeline, port } = await pipelineOf(store, { deadLetterBytes: 4000 });
    await send(port, Array.from({ length: 40 }, (_, i) => `{"msg":"${i} ${'x'.repeat(100)}"}\n`).join(''));
    await until(() => pipeline.stats().dead === 40);
    const { items, total } = pipeline.listDead(0, 100);
    expect(total + pipeline.stats().deadDropped).toBe(40);
    expect(total).toBeGreaterThan(5);
    expect(JSON.parse(items[0]?.line as string)._msg).toMatch(/^39 /);
    expect(await pipeline.discard([items[0]?.id as string])).toBe(1);
    expect(await pipeline.discard(null)).toBe(total - 1);
  });

  it('stops reading when the queue is full, and takes up again, with nothing lost', async () => {
    const store = await storeOf();
    store.reply(() => [503, 'down']);
    const { pipeline, port } = await pipelineOf(store, { queueBytes: 400_000, batchBytes: 40_000 });
    const socket = await dial(port);
    const count = 60_000;
    const text = Array.from({ length: count }, (_, i) => `{"msg":"${i}","pad":"${'x'.repeat(60)}"}\n`).join('');
    const written = new Promise((resolve) => socket.end(text, () => resolve(null)));
    await until(() => pipeline.stats().paused);
    expect(pipeline.stats()).toMatchObject({ pauses: 1, dropped: 0 });
    // What was being read is taken still; the rest stays with the sender.
    expect(pipeline.stats().queueBytes).toBeLessThan(1_000_000);
    expect(pipeline.stats().lagMs).toBeGreaterThanOrEqual(0);
    store.reply(() => [200, '']);
    await written;
    await until(() => pipeline.stats().delivered === count);
    expect(new Set(store.messages()).size).toBe(count);
    expect(store.lines.length).toBe(count);
  });

  it('throws lines away when the queue is full only where it was told to, and counts them', async () => {
    const store = await storeOf();
    store.reply(() => [503, 'down']);
    const { pipeline, port } = await pipelineOf(store, { queueBytes: 2000, dropWhenFull: true });
    for (let i = 0; i < 20; i++) await send(port, `{"msg":"${i} ${'x'.repeat(200)}"}\n`);
    await until(() => pipeline.stats().accepted + pipeline.stats().dropped === 20);
    expect(pipeline.stats().dropped).toBeGreaterThan(5);
    expect(pipeline.stats()).toMatchObject({ pauses: 0 });
  });
});

describe('what is on disk', () => {
  it('is delivered by the next start, with the id that it had', async () => {
    const store = await storeOf();
    store.reply(() => [503, 'down']);
    const { pipeline, port, folder } = await pipelineOf(store);
    await send(port, '{"msg":"one"}\n');
    await until(() => store.requests.length > 0);
    await send(port, '{"msg":"two"}\n');
    await until(() => pipeline.stats().accepted === 2);
    await pipeline.close(0);
    store.reply(() => [200, '']);
    await pipelineOf(store, { folder });
    await until(() => store.lines.length === 2);
    expect(store.messages()).toEqual(['one', 'two']);
    expect(store.requests.at(-2)?.headers['x-batch-id']).toBe(store.requests[0]?.headers['x-batch-id']);
    await until(() => store.requests.length >= 2);
  });

  it('is read up to the place that a crash cut, and a byte that changed is not taken for a line', async () => {
    const store = await storeOf();
    store.reply(() => [503, 'down']);
    const { pipeline, port, folder } = await pipelineOf(store);
    await send(port, '{"msg":"whole"}\n');
    await until(() => pipeline.stats().accepted === 1);
    await pipeline.close(0);
    const [name] = await readdir(join(folder, 'queue'));
    const file = join(folder, 'queue', name as string);
    const data = await readFile(file);
    const changed = Buffer.from(data);
    changed.write('xxx', changed.indexOf('whole'));
    await rm(file);
    await writeFile(file.replace('.batch', '.open'), data.subarray(0, data.length - 3));
    await writeFile(join(folder, 'queue', '000000000077-damaged.batch'), changed);
    await writeFile(join(folder, 'queue', '000000000078-half.batch.tmp'), 'half');
    store.reply(() => [200, '']);
    const { said, damages } = await pipelineOf(store, { folder });
    await until(() => store.lines.length > 0);
    expect(store.messages()).toEqual(['whole']);
    expect(said.filter((line) => line.includes('incomplete bytes'))).toHaveLength(1);
    expect(damages).toMatchObject([{ file: 'queue/000000000077-damaged.batch', lost: 1 }]);
    expect(await readdir(join(folder, 'queue'))).toContain('000000000077-damaged.batch.damaged');
  });

  it('waits in memory, and in the senders, while the disk refuses', async () => {
    const store = await storeOf();
    const folder = temporaryFolder('pipeline');
    const { pipeline, port, said } = await pipelineOf(store, { folder });
    // A file in the place of the folder refuses every segment, whoever runs the test.
    const { rename, rm } = await import('node:fs/promises');
    await rename(join(folder, 'queue'), join(folder, 'away'));
    await writeFile(join(folder, 'queue'), '');
    await send(port, '{"msg":"later"}\n');
    await until(() => pipeline.stats().refusing !== null);
    expect(pipeline.stats()).toMatchObject({ paused: true, accepted: 0, queueLines: 1 });
    await rm(join(folder, 'queue'));
    await rename(join(folder, 'away'), join(folder, 'queue'));
    await until(() => store.lines.length === 1);
    expect(pipeline.stats()).toMatchObject({ paused: false, refusing: null, accepted: 1 });
    expect(said.join()).toMatch(/cannot be written .* can be written to disk again/);
  });
});
