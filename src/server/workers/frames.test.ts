import { describe, expect, it } from 'vitest';
import { parseFrame, parseFrameInThread, framesFromParts } from './frames.ts';

const hello = {
  t: 'hello',
  protocol: 1,
  workerId: null,
  version: '0.1.0',
  url: 'http://127.0.0.1:1',
  capacity: 8,
  labels: { zone: 'a' },
  handlers: ['charge'],
  running: [],
};
const say = (more: object = {}) => parseFrame(JSON.stringify({ ...hello, ...more }));

describe('what a worker says of itself', () => {
  it('is taken as far as it is bounded', () => {
    const most = {
      url: 'x'.repeat(2000),
      labels: Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`k${i}`, 'v'.repeat(256)])),
      handlers: ['h'.repeat(200)],
    };
    expect(say(most)).toMatchObject(most);
  });

  it.each([
    ['url', { url: 'x'.repeat(2001) }],
    ['version', { version: 'x'.repeat(101) }],
    ['labels', { labels: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, 'v'])) }],
    ['labels', { labels: { ['k'.repeat(257)]: 'v' } }],
    ['labels', { labels: { k: 'v'.repeat(257) } }],
    ['handlers', { handlers: ['h'.repeat(201)] }],
    ['handlers', { handlers: Array.from({ length: 10_001 }, (_, i) => `h${i}`) }],
    ['handlers', { handlers: Array.from({ length: 1311 }, () => 'h'.repeat(200)) }],
  ])('is refused beyond: %s', (field, more) => expect(() => say(more)).toThrow(field));
});

it('an output that is nested too deeply fails its task, and takes no other report with it', () => {
  const done = (id: string, output: string) =>
    `{"e":"done","id":"${id}","attempt":1,"at":2,"startedAt":1,"output":${output}}`;
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const list = `{"e":"items","id":"list","attempt":1,"at":2,"startedAt":1,"first":0,"more":false,"items":[${nested(3000)}]}`;
  const text = `{"t":"report","items":[${done('deep', nested(5000))},${done('well', nested(1900))},${done('text', `"${'['.repeat(5000)}"`)},${list}]}`;
  const frame = parseFrame(text);
  const items = frame.t === 'report' ? frame.items : [];
  expect(items.map(({ id, e }) => [id, e])).toEqual([
    ['deep', 'fail'],
    ['well', 'done'],
    ['text', 'done'],
    ['list', 'fail'],
  ]);
  expect(items[0]).toMatchObject({ startedAt: 1, error: { code: 'NON_RETRYABLE', retryable: false } });
  expect([...framesFromParts(parseFrameInThread(text))]).toMatchObject([
    { items: [{ e: 'fail' }, {}, {}, { e: 'fail' }] },
  ]);
});

it.each([
  ['report', { items: [{ e: 'start', id: 'x'.repeat(101), attempt: 1, at: 1 }] }],
  ['progress', { items: [{ id: 'x'.repeat(101), attempt: 1, fraction: 0, message: null }] }],
  ['gone', { leases: [{ id: 'x'.repeat(101), attempt: 1 }] }],
])('refuses an ID in a %s that is none for its length', (t, more) => {
  expect(() => parseFrame(JSON.stringify({ t, ...more }))).toThrow('is not valid');
  expect(parseFrame(JSON.stringify({ t, ...more }).replace('xx', 'x'))).toMatchObject({ t });
});

it('refuses a frame with more items than it may have, by name', () => {
  const lease = { id: 'a', attempt: 1 };
  const gone = (length: number) => JSON.stringify({ t: 'gone', leases: Array.from({ length }, () => lease) });
  expect(parseFrame(gone(10), 10)).toMatchObject({ t: 'gone' });
  expect(() => parseFrame(gone(11), 10)).toThrow(
    'the frame "gone" is not valid: leases has 11 items; the limit workerFrameItems is 10',
  );
  expect(parseFrameInThread(gone(11), 10)).toMatchObject({ fault: expect.stringContaining('leases has 11 items') });
  for (const [t, list] of Object.entries({ hello: 'running', report: 'items', metrics: 'points', progress: 'items' }))
    expect(() => parseFrame(JSON.stringify({ t, [list]: [1, 2, 3] }), 2)).toThrow(`${list} has 3 items`);
});
