import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAppender } from './appender.ts';
import { decodeEntry } from './entry-codec.ts';
import type { JournalEntry } from './port.ts';

type Answer = 'appended' | 'deposed' | 'lost, not there' | 'lost, but there';

/** A journal whose appends end as the test says, one after the other; then they are appended. */
function rig({ answers = [], pendingBytes = 1000 }: { answers?: Answer[]; pendingBytes?: number } = {}) {
  const entries: JournalEntry[] = [];
  const tries: number[] = [];
  let held: Promise<void> | null = null;
  let deposed = 0;
  const appender = createAppender({
    owner: 'a',
    epoch: 4,
    limits: { entryBytes: 100, pendingBytes },
    time: { elapsed: () => performance.now(), sleep: () => turn() },
    ownership: { whenProved: (told) => told(null) },
    database: {
      nameStatements: async () => {},
      epochAt: async (first) => entries.find((entry) => entry.first === first)?.epoch ?? null,
      async append(_owner, entry) {
        tries.push(entry.first);
        await held;
        const answer = answers.shift() ?? 'appended';
        if (answer === 'deposed') return false;
        if (answer !== 'lost, not there') entries.push(entry);
        if (answer.startsWith('lost')) throw new Error('the connection ended');
        return true;
      },
    },
    onDeposed: () => deposed++,
    onTrouble: () => {},
    measured: () => {},
  });
  const told: string[] = [];
  let number = 0;
  return {
    ...{ appender, entries, tries, told },
    deposed: () => deposed,
    commit(bytes = 0) {
      const mine = ++number;
      appender.take({ number: mine, bytes: new Uint8Array(bytes), statements: [] });
      appender.after((error) => told.push(error === null ? `${mine}` : `${mine} ${(error as { code?: string }).code}`));
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = null;
        resolve();
      };
    },
  };
}

it('appends what came together meanwhile as one entry, and tells of it in order', async () => {
  const { appender, entries, told, commit, hold } = rig();
  const release = hold();
  for (let i = 0; i < 5; i++) commit();
  await turn();
  expect(told).toEqual([]);
  release();
  await expect.poll(() => told).toEqual(['1', '2', '3', '4', '5']);
  expect(entries.map(({ first, last }) => [first, last])).toEqual([
    [1, 1],
    [2, 5],
  ]);
  expect(entries.flatMap(({ body }) => decodeEntry(body).map((one) => one.number))).toEqual([1, 2, 3, 4, 5]);
  expect(appender.appended).toBe(5);
});

it('looks up an append whose outcome is not known, and sends it again only where it is not there', async () => {
  const { entries, tries, told, commit } = rig({ answers: ['lost, but there', 'lost, not there', 'appended'] });
  commit();
  await expect.poll(() => told).toEqual(['1']);
  expect(tries).toEqual([1]);
  commit();
  await expect.poll(() => told).toEqual(['1', '2']);
  expect(tries).toEqual([1, 2, 2]);
  expect(entries.map(({ first }) => first)).toEqual([1, 2]);
});

it('ends for good once another master owns the state', async () => {
  const { appender, told, commit, deposed } = rig({ answers: ['deposed'] });
  commit();
  await expect.poll(() => told).toEqual(['1 NO_OWNER']);
  expect(deposed()).toBe(1);
  expect(appender.refusal?.()).toMatchObject({ code: 'NO_OWNER' });
  commit();
  expect(told).toEqual(['1 NO_OWNER', '2 NO_OWNER']);
});

it('takes no more than its limit while the database is away, and no entry larger than its own', async () => {
  const { appender, entries, told, commit, hold } = rig({ pendingBytes: 150 });
  const release = hold();
  for (let i = 0; i < 4; i++) commit(60);
  expect(appender.refusal?.()).toMatchObject({ code: 'OVERLOADED' });
  release();
  await expect.poll(() => told).toHaveLength(4);
  expect(appender.refusal?.()).toBeNull();
  expect(entries.map(({ first, last }) => last - first)).toEqual([0, 0, 0, 0]);
});

it('tells who waits when it gives up waiting, and appends all the same', async () => {
  const { appender, entries, told, commit, hold } = rig();
  const release = hold();
  commit();
  await turn();
  appender.giveUpWaiting();
  expect(told).toEqual(['1 NO_OWNER']);
  release();
  await expect.poll(() => entries).toHaveLength(1);
  expect(appender.refusal?.()).toBeNull();
});
