import { afterEach, expect, it, vi } from 'vitest';
import { Fault } from '../../../../lib/fault.ts';
import { batch, emptyFolder, LINE_LIMITS, recordsIn, writerOf } from '../store.fixture.ts';
import { createEncoders, type Encoders } from './encoders.ts';
import { createTurnWriter } from './turn-writer.ts';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** About a megabyte of lines, of which two make a block that stays. */
const LINES = 4000;
const START = Date.UTC(2026, 0, 1);
const megabyte = (from: number, id: string | null = null) =>
  batch(
    Array.from({ length: LINES }, (_, i) => ({
      _time: START + from + i,
      n: from + i,
      _msg: `line ${'x'.repeat(210)}`,
    })),
    id,
  );

/** A writer with threads beside it, which give what they encoded when `open` is called. */
function writerWith(encode?: Encoders['encode'], threads = 2, turnMs?: number) {
  const folder = emptyFolder();
  const writer = writerOf(folder);
  const encoders = createEncoders(LINE_LIMITS, { count: threads });
  ends.push(
    () => writer.close(),
    () => encoders.end(),
  );
  let asked = 0;
  const gate = Promise.withResolvers<void>();
  const elsewhere: Parameters<typeof createTurnWriter>[1] = {
    count: encoders.count,
    free: encoders.free,
    async encode(...given) {
      asked++;
      if (encode) return encode(...given);
      const encoded = await encoders.encode(...given);
      await gate.promise;
      return encoded;
    },
  };
  const turns = createTurnWriter(writer, elsewhere, turnMs);
  return {
    folder,
    writer,
    turns,
    open: gate.resolve,
    asked: () => asked,
    numbers: () => recordsIn(folder).records.map(({ n }) => n),
  };
}
const count = (lines: number) => Array.from({ length: lines }, (_, n) => n);

it('batches of many senders are encoded by several threads, and stored in the order of their numbers', async () => {
  const { writer, turns, open, asked, numbers } = writerWith();
  const order: string[] = [];
  const insert = async (name: string, from: number) => {
    const { arrived, stored } = await turns.insert(megabyte(from));
    order.push(name);
    // Whoever reads up to this number has read all lines that were numbered before.
    expect(arrived).toBe(writer.arrived());
    return stored;
  };
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, i) => insert(name, i * LINES));
  await expect.poll(asked).toBe(1);
  const last = insert('g', 6 * LINES);
  expect(numbers()).toEqual([]);
  open();
  expect(await Promise.all([...all, last])).toEqual(Array(7).fill(LINES));
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  expect(numbers()).toEqual(count(7 * LINES));
});

it('a turn of many waits for a thread that is free, so that this one can store what is ready', async () => {
  const { writer, turns, open, asked, numbers } = writerWith(undefined, 1);
  const encoded = vi.spyOn(writer, 'encode');
  const all = count(12).map((i) => turns.insert(megabyte(i * LINES)));
  await expect.poll(asked).toBe(1);
  open();
  await Promise.all(all);
  expect(asked()).toBeGreaterThan(1);
  // The last of them are fewer.
  expect(encoded.mock.calls.flatMap(([batches]) => batches).length).toBeLessThan(4);
  expect(numbers()).toEqual(count(12 * LINES));
});

it('a batch that comes again while it is being encoded is stored once', async () => {
  const { turns, open, asked, numbers } = writerWith();
  const first = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, i) => turns.insert(megabyte(i * LINES, id)));
  await expect.poll(asked).toBe(1);
  const again = turns.insert(megabyte(0, 'a'));
  const other = turns.insert(megabyte(6 * LINES, 'g'));
  open();
  expect((await Promise.all(first)).map(({ duplicate }) => duplicate)).toEqual(Array(6).fill(false));
  expect(await again).toMatchObject({ duplicate: true, stored: LINES });
  expect(await other).toMatchObject({ duplicate: false, stored: LINES });
  expect(numbers()).toEqual(count(7 * LINES));
});

it('a batch that was stored before is not encoded elsewhere', async () => {
  const { turns, asked } = writerWith();
  await turns.insert(megabyte(0, 'a'));
  const acks = await Promise.all(['a', 'b', 'c', 'd'].map((id, i) => turns.insert(megabyte(i * LINES, id))));
  expect(acks.map(({ duplicate }) => duplicate)).toEqual([true, false, false, false]);
  expect(asked()).toBe(0);
});

it('what a thread loses with its end is refused, and sent again it is stored', async () => {
  const lost = new Fault('STORE_UNAVAILABLE', 'a log encoder thread ended (exit 1); try again');
  const { writer, turns, asked, numbers } = writerWith(() => Promise.reject(lost));
  const send = () => Promise.allSettled(count(6).map((i) => turns.insert(megabyte(i * LINES, `id ${i}`))));
  const first = await send();
  const rejected = first.filter(({ status }) => status === 'rejected');
  expect(rejected.length).toBeGreaterThan(0);
  for (const one of rejected) expect(one).toEqual({ status: 'rejected', reason: lost });
  expect(writer.stats().refused).toBe(rejected.length);
  const second = await send();
  expect(second.map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'));
  expect(asked()).toBe(1);
  expect(numbers()).toEqual(count(6 * LINES));
});

it('the rest of a large batch has its turn, however much others send', async () => {
  const ROUNDS = 12;
  const { turns, open } = writerWith(undefined, 1, 0);
  open();
  let isStored = false;
  const lines = Array.from({ length: 50_000 }, (_, n) => ({ n, _msg: 'x'.repeat(200) }));
  const large = turns.insert(batch(lines)).then((ack) => {
    isStored = true;
    return ack;
  });
  const rounds = await Promise.all(
    count(12).map(async (sender) => {
      let round = 0;
      for (; round < ROUNDS && !isStored; round++) await turns.insert(megabyte(sender * LINES));
      return round;
    }),
  );
  expect(Math.max(...rounds)).toBeLessThan(ROUNDS);
  expect(await large).toMatchObject({ stored: 50_000, duplicate: false });
});

it('a batch that came twice is stored once, also where it could not be stored together with others', async () => {
  const { writer, turns, open, numbers } = writerWith(undefined, 1);
  open();
  const shared = (from: number, id: string) => {
    const { ndjson, ...more } = megabyte(from, id);
    const room = new Uint8Array(new SharedArrayBuffer(ndjson.length));
    room.set(ndjson);
    return { ...more, ndjson: room };
  };
  vi.spyOn(writer, 'commit').mockImplementationOnce(() => {
    throw new Error('the disk gave an error');
  });
  const ids = ['a', 'b', 'a', 'c', 'd', 'e', 'f'];
  const acks = await Promise.all(ids.map((id) => turns.insert(shared(ids.indexOf(id) * LINES, id))));
  expect(acks.map(({ duplicate }) => duplicate)).toEqual([false, false, true, false, false, false, false]);
  expect(numbers()).toHaveLength(6 * LINES);
});

it('closing waits for what is being encoded', async () => {
  const { turns, open, asked, numbers } = writerWith();
  const all = count(6).map((i) => turns.insert(megabyte(i * LINES)));
  await expect.poll(asked).toBe(1);
  const closed = turns.close();
  const late = turns.insert(megabyte(6 * LINES));
  open();
  await closed;
  expect(numbers()).toEqual(count(7 * LINES));
  await Promise.all([...all, late]);
});
