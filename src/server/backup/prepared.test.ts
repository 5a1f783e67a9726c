import { Readable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import type { TakenBackup } from './port.ts';
import { createPreparedBackups } from './prepared.ts';

const backup = (): TakenBackup => ({ bytes: 1, stream: Readable.from([Buffer.from('x')]) }) as unknown as TakenBackup;

it('hands a backup out once', () => {
  const prepared = createPreparedBackups();
  const one = backup();
  const id = prepared.hold(one, 'ann');
  expect(prepared.take(id)).toBe(one);
  expect(() => prepared.take(id)).toThrow(/another one/);
});
it('knows no backup whose copy is gone', async () => {
  const prepared = createPreparedBackups();
  const one = backup();
  const id = prepared.hold(one, 'ann');
  one.stream.destroy();
  expect(() => prepared.take(id)).toThrow(/another one/);
});
it('removes a copy that nobody fetches', () => {
  vi.useFakeTimers();
  try {
    const one = backup();
    createPreparedBackups().hold(one, 'ann');
    vi.advanceTimersByTime(10 * 60_000);
    expect(one.stream.destroyed).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
it('makes way for the next one of the same person, once the copy is gone', async () => {
  const prepared = createPreparedBackups();
  const one = backup();
  const id = prepared.hold(one, 'ann');
  await expect(prepared.discard('ben')).rejects.toMatchObject({ code: 'BACKUP_RUNNING' });
  expect(one.stream.destroyed).toBe(false);
  expect(await prepared.discard('ann')).toBe(true);
  expect(one.stream.closed).toBe(true);
  expect(() => prepared.take(id)).toThrow(/another one/);
  expect(await prepared.discard('ben')).toBe(false);
});
it('leaves alone what is being downloaded', async () => {
  const prepared = createPreparedBackups();
  const one = backup();
  prepared.take(prepared.hold(one, 'ann'));
  expect(await prepared.discard('ann')).toBe(false);
  expect(one.stream.destroyed).toBe(false);
});
