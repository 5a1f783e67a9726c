import { expect, it } from 'vitest';
import { roomOfToken } from './room-of-token.ts';

const worker = (id: string, more: Partial<Parameters<typeof entry>[0]> = {}) => entry({ id, ...more });
const entry = ({
  id = '',
  tokenId = 'mine',
  state = 'Operational' as 'Operational' | 'Down',
  load = 0,
  downAt = 0,
  characters = 0,
}) => ({
  ...{ id, tokenId, state, load, downAt, url: '', version: '', labels: {} },
  handlers: ['h'.repeat(characters)],
});
const MIB = 1024 * 1024;
const idsOf = (found: readonly { id: string }[] | null) => found?.map(({ id }) => id) ?? null;

it('forgets those that have been Down the longest, where a token has a thousand of them', () => {
  const down = Array.from({ length: 1002 }, (_, i) => worker(`d${i}`, { state: 'Down', downAt: 5000 - i }));
  const others = Array.from({ length: 2000 }, (_, i) => worker(`o${i}`, { tokenId: 'other', state: 'Down' }));
  const alive = Array.from({ length: 2000 }, (_, i) => worker(`a${i}`));
  expect(idsOf(roomOfToken([...down, ...others, ...alive], 'mine', worker('new')))).toEqual(['d1001', 'd1000']);
  expect(idsOf(roomOfToken(down.slice(0, 1000), 'mine', worker('new')))).toEqual([]);
});

it('forgets as many as one that says much of itself needs, and refuses it where others need the room', () => {
  const big = { characters: 6 * MIB };
  const [old, young] = [
    worker('old', { state: 'Down', downAt: 1, ...big }),
    worker('young', { state: 'Down', downAt: 2, ...big }),
  ];
  const fresh = worker('new', big);
  expect(idsOf(roomOfToken([old, young], 'mine', fresh))).toEqual(['old']);
  expect(idsOf(roomOfToken([old, worker('alive', big)], 'mine', fresh))).toEqual(['old']);
  expect(roomOfToken([worker('one', big), worker('two', big)], 'mine', fresh)).toBeNull();
  // What is Down and still has tasks is not forgotten, and one that comes back takes its own place.
  expect(roomOfToken([{ ...old, load: 1 }, worker('alive', big)], 'mine', fresh)).toBeNull();
  expect(idsOf(roomOfToken([worker('one', big), worker('new', big)], 'mine', fresh))).toEqual([]);
});
