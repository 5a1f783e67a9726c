import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serverSentEvents, type ServerSentEvent } from './sse.ts';

async function read(...chunks: Uint8Array[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const found: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(body)) found.push(event);
  return found;
}

const stream = ': hello\n\nid: 7\nevent: log\ndata: {"a":\ndata: 1}\n\r\ndata:ünï\r\n\r\ndata: cut off';
const events = [
  { event: 'log', data: '{"a":\n1}', id: '7' },
  { event: 'message', data: 'ünï', id: '7' },
];

it('reads events, joins their data, skips comments and what is cut off', async () => {
  expect(await read(Buffer.from(stream))).toEqual(events);
});

it('reads the same however the bytes are cut', async () => {
  const bytes = Buffer.from(stream);
  await fc.assert(fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
    const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
    const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
    expect(await read(...chunks)).toEqual(events);
  }));
});
