import { describe, expect, it } from 'vitest';
import { createFeed } from './feed.ts';
import type { Change } from './port.ts';

const turn = () => new Promise(setImmediate);
const boom = (error: unknown) => {
  throw error;
};

describe('the feed', () => {
  it('delivers what comes after the subscription, a turn in one batch, in order', async () => {
    const feed = createFeed(1, boom);
    const batches: string[][] = [];
    feed.publish('job', 'before');
    feed.subscribe(null, (changes) => batches.push(changes.map((c) => c.id)));
    feed.publish('job', 'a');
    feed.publish('task', 'b');
    await turn();
    feed.publish('job', 'c');
    await turn();
    expect(batches).toEqual([['a', 'b'], ['c']]);
  });

  it('resumes after a sequence without gap or double', async () => {
    const feed = createFeed(1, boom);
    feed.publish('job', 'a');
    const seen = feed.sequence;
    feed.publish('job', 'b');
    feed.publish('job', 'c');
    const got: Change[] = [];
    const { reset } = feed.subscribe(seen, (changes) => got.push(...changes));
    feed.publish('job', 'd');
    await turn();
    expect(reset).toBe(false);
    expect(got.map((c) => c.id)).toEqual(['b', 'c', 'd']);
  });

  it('asks for a reset where the sequence is too old, of another run, or unknown', () => {
    const earlier = createFeed(1000, boom, 4);
    earlier.publish('job', 'x');
    const old = earlier.sequence;
    for (let i = 0; i < 10; i++) earlier.publish('job', `${i}`);
    expect(earlier.subscribe(old, () => {}).reset).toBe(true);
    expect(earlier.subscribe(earlier.sequence - 4, () => {}).reset).toBe(false);
    expect(earlier.subscribe(earlier.sequence + 1, () => {}).reset).toBe(true);
    expect(createFeed(2000, boom).subscribe(old, () => {}).reset).toBe(true);
  });

  it('goes on for the others when one subscriber throws, and forgets closed ones', async () => {
    const errors: unknown[] = [];
    const feed = createFeed(1, (error) => errors.push(error));
    const got: string[] = [];
    feed.subscribe(null, () => {
      throw new Error('mine');
    });
    const other = feed.subscribe(null, (changes) => got.push(...changes.map((c) => c.id)));
    feed.publish('worker', 'a');
    await turn();
    other.close();
    feed.publish('worker', 'b');
    await turn();
    expect(got).toEqual(['a']);
    expect(errors).toHaveLength(2);
  });
});
