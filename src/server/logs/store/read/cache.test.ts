import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCache } from './cache.ts';

const counting = () => {
  let made = 0;
  return { make: () => ({ value: ++made, bytes: 10 }), made: () => made };
};

test('what two queries used outlives a scan of everything', () => {
  const cache = createCache(100);
  const { make, made } = counting();
  cache.get('hot', make);
  cache.turn();
  cache.get('hot', make);
  for (let scan = 0; scan < 3; scan++) {
    cache.turn();
    for (let i = 0; i < 1000; i++) cache.get(`${scan} ${i}`, make);
  }
  const before = made();
  cache.get('hot', make);
  expect(made()).toBe(before);
});

test('what one query used many times counts once', () => {
  const cache = createCache(100);
  const { make, made } = counting();
  for (let i = 0; i < 50; i++) for (let again = 0; again < 3; again++) cache.get(`${i}`, make);
  for (let query = 0; query < 2; query++) {
    cache.turn();
    for (let i = 0; i < 10; i++) cache.get(`next ${i}`, make);
  }
  const before = made();
  cache.get('0', make);
  expect(made()).toBe(before + 1);
});

test('a scan of more than it can hold finds a part of it again', () => {
  const cache = createCache(1000);
  const { make, made } = counting();
  const scan = () => {
    cache.turn();
    const before = made();
    // A query comes back to a block's columns while it is at it.
    for (let i = 0; i < 300; i++) for (let again = 0; again < 3; again++) cache.get(`${i}`, make);
    return 300 - (made() - before);
  };
  scan();
  for (let again = 0; again < 20; again++) expect(scan()).toBeGreaterThan(50);
});

test('holds nothing once it was cleared, and still knows what was asked for often', () => {
  const cache = createCache(100);
  const { make, made } = counting();
  for (let query = 0; query < 3; query++) {
    cache.turn();
    cache.get('hot', make);
  }
  cache.clear();
  expect(cache.bytes).toBe(0);
  cache.get('hot', make);
  for (let i = 0; i < 100; i++) cache.get(`${i}`, make);
  const before = made();
  cache.get('hot', make);
  expect(made()).toBe(before);
});

test('what is asked for now takes the place of what was', () => {
  const cache = createCache(1000);
  const { make, made } = counting();
  const scan = (name: string, count: number) => {
    cache.turn();
    const before = made();
    for (let i = 0; i < count; i++) cache.get(`${name} ${i}`, make);
    return made() - before;
  };
  for (let i = 0; i < 5; i++) scan('old', 500);
  for (let i = 0; i < 8; i++) scan('new', 60);
  expect(scan('new', 60)).toBe(0);
});

test('never holds more than its bytes and one entry, and always gives what was made last for the key', () => {
  const step = fc.oneof(
    fc.record({ key: fc.integer({ min: 0, max: 30 }), bytes: fc.integer({ min: 0, max: 60 }) }),
    fc.constant('turn' as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const cache = createCache(100);
      const last = new Map<number, object>();
      for (const one of steps) {
        if (one === 'turn') cache.turn();
        else {
          const value = cache.get(`${one.key}`, () => {
            const made = {};
            last.set(one.key, made);
            return { value: made, bytes: one.bytes };
          });
          expect(value).toBe(last.get(one.key));
        }
        expect(cache.bytes).toBeLessThanOrEqual(100 + 60);
        expect(cache.bytes).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});
