import { describe, expect, it } from 'vitest';
import { parseFrame } from './frames.ts';

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
  ])('is refused beyond: %s', (field, more) => expect(() => say(more)).toThrow(field));
});
