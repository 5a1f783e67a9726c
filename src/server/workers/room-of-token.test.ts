import { expect, it } from 'vitest';
import { createRoomOfTokens } from './room-of-token.ts';

interface Given {
  readonly tokenId?: string;
  readonly state?: 'Operational' | 'Down';
  readonly load?: number;
  readonly downAt?: number;
  readonly characters?: number;
  readonly drained?: boolean;
}
const worker = (id: string, { characters = 0, ...more }: Given = {}) => ({
  ...{
    id,
    tokenId: 'mine',
    state: 'Operational' as const,
    load: 0,
    downAt: 0,
    drained: false,
    url: '',
    version: '',
    labels: {},
  },
  handlers: ['h'.repeat(characters)],
  ...more,
});
type Worker = ReturnType<typeof worker>;
const MIB = 1024 * 1024;

/** Who is forgotten so that `fresh` is listed with these. */
function forgotten(listed: readonly Worker[], fresh: Worker): string[] | null {
  const rooms = createRoomOfTokens();
  for (const one of listed) rooms.put(one);
  return rooms.make(listed, fresh)?.map(({ id }) => id) ?? null;
}

it('forgets those that have been Down the longest, where a token has a thousand of them', () => {
  const down = Array.from({ length: 1002 }, (_, i) => worker(`d${i}`, { state: 'Down', downAt: 5000 - i }));
  const others = Array.from({ length: 2000 }, (_, i) => worker(`o${i}`, { tokenId: 'other', state: 'Down' }));
  const alive = Array.from({ length: 2000 }, (_, i) => worker(`a${i}`));
  expect(forgotten([...down, ...others, ...alive], worker('new'))).toEqual(['d1001', 'd1000']);
  expect(forgotten([...down.slice(0, 1000), ...alive], worker('new'))).toEqual([]);
});

it('forgets as many as one that says much of itself needs, and refuses it where others need the room', () => {
  const big = { characters: 6 * MIB };
  const old = worker('old', { state: 'Down', downAt: 1, ...big });
  const young = worker('young', { state: 'Down', downAt: 2, ...big });
  const fresh = worker('new', big);
  expect(forgotten([old, young], fresh)).toEqual(['old']);
  expect(forgotten([old, worker('alive', big)], fresh)).toEqual(['old']);
  expect(forgotten([worker('one', big), worker('two', big)], fresh)).toBeNull();
  expect(forgotten([worker('one', big), worker('two', { ...big, tokenId: 'other' })], fresh)).toEqual([]);
  // What is Down and still has tasks is not forgotten, and one that comes back takes its own place.
  expect(forgotten([{ ...old, load: 1 }, worker('alive', big)], fresh)).toBeNull();
  expect(forgotten([worker('one', big), worker('new', big)], fresh)).toEqual([]);
});

it('counts what is said now, and nothing of who is listed no more', () => {
  const rooms = createRoomOfTokens();
  const big = { characters: 10 * MIB };
  rooms.put(worker('one', big));
  rooms.put(worker('one', { characters: 1 }));
  expect(rooms.make([worker('one')], worker('new', big))).toEqual([]);
  rooms.put(worker('two', big));
  expect(rooms.make([worker('one'), worker('two')], worker('new', big))).toBeNull();
  rooms.drop('two');
  rooms.drop('two');
  expect(rooms.make([worker('one')], worker('new', big))).toEqual([]);
});

it('forgets drained ones last, as they would come back undrained, and bounds those too', () => {
  const down = (id: string, drained: boolean, downAt: number) => worker(id, { state: 'Down', drained, downAt });
  const drained = Array.from({ length: 999 }, (_, i) => down(`d${i}`, true, i));
  expect(forgotten([...drained, down('a', false, 5000), down('b', false, 6000)], worker('new'))).toEqual(['a']);
  const more = [down('x', true, 7000), down('y', true, 8000)];
  expect(forgotten([...drained, ...more, down('a', false, 9000)], worker('new'))).toEqual(['a', 'd0']);
});

it('admits one that is listed and says no more than before, also where its token has more than its room', () => {
  const big = { characters: 6 * MIB };
  const listed = ['one', 'two', 'three'].map((id) => worker(id, big));
  expect(forgotten(listed, worker('one', big))).toEqual([]);
  expect(forgotten(listed, worker('one', { characters: 6 * MIB + 1 }))).toBeNull();
  expect(forgotten(listed, worker('one', { ...big, tokenId: 'other' }))).toEqual([]);
  expect(forgotten(listed, worker('new'))).toBeNull();
});

it('forgets nobody for one that is listed and says no more than before', () => {
  const big = { characters: 6 * MIB };
  const listed = [worker('one', big), worker('two', big), worker('old', { ...big, state: 'Down', drained: true })];
  expect(forgotten(listed, worker('one', big))).toEqual([]);
  expect(forgotten(listed, worker('one', { characters: 6 * MIB + 1 }))).toEqual(['old']);
  const down = Array.from({ length: 1002 }, (_, i) => worker(`d${i}`, { state: 'Down', downAt: i }));
  expect(forgotten(down, worker('d1001'))).toEqual([]);
});
