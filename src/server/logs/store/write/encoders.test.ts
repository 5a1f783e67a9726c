import { afterEach, expect, it } from 'vitest';
import { batch, LINE_LIMITS } from '../store.fixture.ts';
import { createBatchEncoder, type EncodedBatches } from './batch-encoder.ts';
import { createEncoders, type Encoders } from './encoders.ts';

const open: Encoders[] = [];
afterEach(async () => {
  for (const encoders of open.splice(0)) await encoders.end();
});
function encodersOf(options: Parameters<typeof createEncoders>[1]): Encoders {
  const encoders = createEncoders(LINE_LIMITS, options);
  open.push(encoders);
  return encoders;
}

const AT = Date.UTC(2026, 0, 1);
const many = (from: number) =>
  Array.from({ length: 3000 }, (_, i) => ({ n: from + i, source: 'test', _msg: `line ${from + i}, key hunter22` }));
const SECRET = [{ name: 'KEY', value: 'hunter22' }];
function here(batches: Parameters<Encoders['encode']>[0], secrets = SECRET): EncodedBatches {
  const encoder = createBatchEncoder(LINE_LIMITS);
  encoder.redact(secrets);
  let next = 500;
  return encoder.encode(batches, { at: AT, arrival: () => next++, known: () => undefined, turnMs: Infinity });
}

it('encode as the thread that writes does, without secrets, in a later thread too', async () => {
  const encoders = encodersOf({ count: 1, idleMs: 0 });
  const batches = () => [batch(many(0), 'one'), batch(['{"broken"', ...many(3000)]), batch(many(0), 'one')];
  expect(await encoders.encode(batches(), AT, 500)).toEqual(here(batches(), []));
  encoders.redact(SECRET);
  for (let round = 0; round < 2; round++) expect(await encoders.encode(batches(), AT, 500)).toEqual(here(batches()));
});

it('each take one turn at a time', async () => {
  const encoders = encodersOf({ count: 2 });
  const both = [0, 1].map(() => {
    expect(encoders.free()).toBe(true);
    return encoders.encode([batch(many(0))], AT, 1);
  });
  expect(encoders.free()).toBe(false);
  await Promise.all(both);
  expect(encoders.free()).toBe(true);
});

it('are none on one processor', () => expect(encodersOf({ count: 0 }).free()).toBe(false));
