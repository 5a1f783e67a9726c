import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqlite } from '../../store/sqlite/open.ts';
import { emptyDatabase } from '../../testing/empty-database.fixture.ts';
import type { Store } from '../../store/port.ts';
import { createChallenges } from './challenges.ts';

let file: string;
let store: Store;
let now = 1_000_000;
beforeEach(async () => {
  file = await emptyDatabase('challenges-', 'master.db');
  store = openSqlite({ file, durability: 'normal' });
});
afterEach(() => store.close());
const open = () => createChallenges({ store, clock: { now: () => now } as never, minutes: () => 5 });
const begun = { purpose: 'sign-in', host: 'localhost', userId: null, tie: null } as const;
const any = () => true;
const expired = expect.objectContaining({ code: 'PASSKEY_EXPIRED' });

it('takes what another master of the same store gave out, once among all of them, also after a restart', async () => {
  const [a, b] = [open(), open()];
  const [first, second] = [await a.begin(begun), await a.begin(begun)];
  expect((await b.take(first.binding, any)).challenge).toBe(Buffer.from(first.challenge).toString('base64url'));
  await expect(a.take(first.binding, any)).rejects.toEqual(expired);
  await store.close();
  store = openSqlite({ file, durability: 'normal' });
  const c = open();
  await expect(c.take(first.binding, any)).rejects.toEqual(expired);
  expect(await c.take(second.binding, any)).toMatchObject(begun);
});

it('takes none that was changed, or made elsewhere', async () => {
  const one = open();
  const { binding } = await one.begin(begun);
  const [text = '', signature = ''] = binding.split('.');
  const forged = Buffer.from(JSON.stringify({ ...begun, host: 'evil.example', challenge: 'x', until: now + 1e6 }));
  for (const wrong of [
    undefined,
    '',
    '.',
    'x.y',
    text,
    `.${signature}`,
    `${forged.toString('base64url')}.${signature}`,
  ])
    await expect(one.take(wrong, any)).rejects.toEqual(expired);
  await expect(one.take(binding, () => false)).rejects.toEqual(expired);
});

it('writes nothing when it is asked, and forgets what was answered once it has expired', async () => {
  const one = open();
  const kept = () => store.read.query('SELECT 1 FROM passkey_challenge').all().length;
  const [early, late] = [await one.begin(begun), await one.begin(begun)];
  expect(kept()).toBe(0);
  await one.take(early.binding, any);
  expect(kept()).toBe(1);
  now += 5 * 60_000;
  await expect(one.take(late.binding, any)).rejects.toEqual(expired);
  const next = await one.begin(begun);
  await one.take(next.binding, any);
  expect(kept()).toBe(1);
});
