import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createExporter, type Exporter, type ExporterOptions } from './exporter.ts';
import { openReceiver, otlpResponse, targetAt, type ReceivedRequest } from './otlp-receiver.fixture.ts';
import { createPost, retryAfterMs } from './post.ts';
import { createProtobufCodec } from './protobuf-codec.ts';
import type { ServerResponse } from 'node:http';

/** Exporters against a receiver that is down, slow, full or refuses, over real sockets. */
const WAIT = { interval: 10 };
const codec = createProtobufCodec();
const record = (n: number) =>
  codec.span({
    traceId: '1'.repeat(32),
    spanId: n.toString(16).padStart(16, '0'),
    parentSpanId: null,
    name: `span ${n}`,
    kind: 1,
    start: 1,
    end: 2,
    attributes: {},
    events: [],
    links: [],
    error: null,
  });
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function receiver(answer?: (request: ReceivedRequest, response: ServerResponse) => boolean) {
  const made = await openReceiver(answer);
  closing.push(() => made.close());
  return made;
}
function exporter(url: string, more: Partial<ExporterOptions> & { timeoutMs?: number } = {}) {
  const lines: string[] = [];
  const { post, close } = createPost(
    targetAt(url, 'traces', more.timeoutMs === undefined ? {} : { timeoutMs: more.timeoutMs }),
    codec.contentType,
  );
  const made: Exporter = createExporter({
    signal: 'traces',
    codec,
    origin: { resource: {}, version: '1' },
    queueBytes: 1_000_000,
    batchRecords: 10,
    delayMs: 1,
    post,
    log: (line) => void lines.push(line),
    // No wait is longer than the first, less a fifth.
    random: () => 0,
    ...more,
  });
  closing.push(close);
  closing.push(() => made.close(0));
  return { ...made, lines };
}

it('sends records in the order in which they came, in requests of bounded size', async () => {
  const collector = await receiver();
  const { put, stats } = exporter(collector.url);
  for (let n = 1; n <= 35; n++) put(record(n));
  await vi.waitFor(() => expect(stats()).toMatchObject({ exported: 35, dropped: 0, queued: 0, failing: null }), WAIT);
  expect(collector.spans().map(({ name }) => name)).toEqual(Array.from({ length: 35 }, (_, i) => `span ${i + 1}`));
  expect(
    collector.requests.every(({ body }) => (body.resourceSpans?.[0]?.scopeSpans?.[0]?.spans?.length ?? 0) <= 10),
  ).toBe(true);
});

describe('a receiver that cannot take them now', () => {
  it.each([429, 502, 503, 504])('(%d) gets the same request again', async (status) => {
    let refusals = 1;
    const collector = await receiver((_, response) => {
      if (refusals-- <= 0) return false;
      response.writeHead(status, { 'retry-after': '0' }).end('later');
      return true;
    });
    const { put, stats, lines } = exporter(collector.url);
    put(record(1));
    await vi.waitFor(() => expect(stats()).toMatchObject({ exported: 1, dropped: 0, failing: null }), WAIT);
    expect(collector.spans()).toHaveLength(1);
    expect(lines).toEqual([
      `cannot export traces: status ${status}: later`,
      'traces are exported again; 0 records were dropped since the start',
    ]);
  });

  it('is sent to once it is there; what its queue cannot hold is dropped, the oldest first, and counted', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const size = record(10).length;
    const { put, stats } = exporter(`http://127.0.0.1:${port}`, { queueBytes: size * 20 });
    put(record(0));
    await vi.waitFor(() => expect(stats().failing).toBe('nothing listens at its address'), WAIT);
    for (let n = 1; n <= 50; n++) put(record(n));
    // The request under way is not in the queue.
    expect(stats()).toMatchObject({
      exported: 0,
      dropped: 30,
      queued: 21,
      bytes: 20 * size + record(0).length,
      lostReason: 'the queue was full',
    });
    expect(stats().oldestAt).toBeLessThanOrEqual(Date.now());
    expect(stats().since).toBeLessThanOrEqual(Date.now());
    const spans: string[] = [];
    const back = createServer((request, response) => {
      request.resume().on('end', () => void response.end());
      spans.push(request.url ?? '');
    });
    await new Promise<void>((resolve) => void back.listen(port, '127.0.0.1', resolve));
    closing.push(() => back.closeAllConnections());
    closing.push(() => back.close());
    await vi.waitFor(
      () =>
        expect(stats()).toMatchObject({
          exported: 21,
          dropped: 30,
          queued: 0,
          failing: null,
          bytes: 0,
          oldestAt: null,
        }),
      WAIT,
    );
  });

  it('and never answers is given up after the time-out', async () => {
    const collector = await receiver(() => true);
    const { put, stats } = exporter(collector.url, { timeoutMs: 50 });
    put(record(1));
    await vi.waitFor(() => expect(stats().failing).toBe('no answer within 50 ms'), WAIT);
    expect(stats()).toMatchObject({ exported: 0, queued: 1 });
  });
});

describe('a receiver that refuses', () => {
  it.each([400, 401, 404, 413, 500])('(%d) is not sent the same again', async (status) => {
    let requests = 0;
    const collector = await receiver((_, response) => {
      requests++;
      response.writeHead(status).end('no');
      return true;
    });
    const { put, stats, lines } = exporter(collector.url);
    put(record(1));
    await vi.waitFor(() => expect(stats()).toMatchObject({ exported: 0, dropped: 1, queued: 0 }), WAIT);
    expect(requests).toBe(1);
    expect(lines).toEqual([`cannot export traces: status ${status}: no; 1 records dropped`]);
  });

  it('a part of a request is believed', async () => {
    const partialSuccess = { rejectedSpans: 2, errorMessage: 'too old' };
    const collector = await receiver((_, response) => {
      response.writeHead(200).end(otlpResponse('traces', { partialSuccess }));
      return true;
    });
    const { put, stats } = exporter(collector.url, { delayMs: 50 });
    for (let n = 1; n <= 5; n++) put(record(n));
    await vi.waitFor(() => expect(stats()).toMatchObject({ exported: 3, dropped: 2 }), WAIT);
    expect(stats().failing).toBe('the receiver refused 2 of 5 records: too old');
  });
});

describe('at the end', () => {
  it('what waits is sent', async () => {
    const collector = await receiver();
    const { put, close, stats } = exporter(collector.url, { delayMs: 3_600_000 });
    put(record(1));
    await close(10_000);
    expect(stats()).toMatchObject({ exported: 1, dropped: 0, queued: 0 });
  });

  it('a receiver that is down is tried once more, and holds nobody up', async () => {
    const { put, close, stats } = exporter('http://127.0.0.1:1', { delayMs: 3_600_000 });
    put(record(1));
    await close(3_600_000);
    expect(stats()).toMatchObject({ exported: 0, dropped: 1, queued: 0 });
  });
});

it.each([
  ['7', 7000],
  [new Date(61_000).toUTCString(), 60_000],
  ['soon', 0],
  ['-3', 0],
  [undefined, 0],
])('Retry-After %s is %d ms', (header, ms) => expect(retryAfterMs(header, 1000)).toBe(ms));
