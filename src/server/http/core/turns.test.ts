import { expect, it } from 'vitest';
import type { Identity } from '../../access/port.ts';
import { createTurns } from './turns.ts';

const who = (actor: string): Identity => ({ actor, role: 'viewer', expiresAt: null, grants: null, userId: null });
const stays = new AbortController().signal;

it('many questions of one caller wait for each other, and nobody else for them', async () => {
  const turn = createTurns({ most: () => 2, waiting: () => 3, what: 'queries' });
  const began: string[] = [];
  const end = Promise.withResolvers<void>();
  const ask = (name: string, gone = stays) =>
    turn(who(name), gone, async () => {
      began.push(name);
      await end.promise;
    });
  const leaving = new AbortController();
  const all = [ask('greedy'), ask('greedy'), ask('greedy'), ask('greedy', leaving.signal), ask('greedy')];
  await expect(ask('greedy')).rejects.toMatchObject({ code: 'OVERLOADED' });
  const other = ask('other');
  await expect.poll(() => began).toEqual(['greedy', 'greedy', 'other']);
  leaving.abort();
  await expect(all[3]).rejects.toMatchObject({ code: 'QUERY_CANCELLED' });
  end.resolve();
  await Promise.all([other, ...all.filter((_, i) => i !== 3)]);
  expect(began.filter((name) => name === 'greedy')).toHaveLength(4);
});
