import { Readable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import type { TakenBackup } from './port.ts';
import { createPreparedBackups } from './prepared.ts';

const backup = (): TakenBackup => ({ bytes: 1, stream: Readable.from([Buffer.from('x')]) }) as unknown as TakenBackup;

it('hands a backup out once', () => {
  const prepared = createPreparedBackups();
  const one = backup();
  const id = prepared.hold(one);
  expect(prepared.take(id)).toBe(one);
  expect(() => prepared.take(id)).toThrow(/another one/);
});
it('knows no backup whose copy is gone', async () => {
  const prepared = createPreparedBackups();
  const one = backup();
  const id = prepared.hold(one);
  one.stream.destroy();
  expect(() => prepared.take(id)).toThrow(/another one/);
});
it('removes a copy that nobody fetches', () => {
  vi.useFakeTimers();
  try {
    const one = backup();
    createPreparedBackups().hold(one);
    vi.advanceTimersByTime(10 * 60_000);
    expect(one.stream.destroyed).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
