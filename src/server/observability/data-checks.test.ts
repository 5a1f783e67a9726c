import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { createDataChecks } from './data-checks.ts';
import type { DataChecks, Verify, VerifyOptions } from './port.ts';

const DAY_MS = 86_400_000;
let now = 0;
let checks: DataChecks;
let errors: unknown[] = [];
afterEach(async () => {
  await checks.close();
  expect(errors.splice(0)).toEqual([]);
  now = 0;
});
const file = () => join(temporaryFolder('ym-checks'), 'checks.json');

function open(verify: Verify, where = file(), lookMs = 5): DataChecks {
  checks = createDataChecks({
    parts: { database: verify },
    file: where,
    limits: { ...LIMITS, dataCheckDays: 7 },
    now: () => now,
    log: () => {},
    onError: (error) => void errors.push(error),
    lookMs,
  });
  return checks;
}
const quick: Verify = async () => ({ bytes: 10, damages: [] });

it('reads a part that was never read, and again after some days, slowly', async () => {
  const calls: VerifyOptions[] = [];
  open(async (options) => {
    calls.push(options);
    return { bytes: 10, damages: [] };
  });
  await expect.poll(() => checks.list()).toMatchObject([{ part: 'database', bytes: 10, damages: 0 }]);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.bytesPerSecond).toBe(LIMITS.dataCheckBytesPerSecond);
  now = 6 * DAY_MS;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toHaveLength(1);
  now = 7 * DAY_MS;
  await expect.poll(() => calls.length).toBe(2);
});

it('goes on after a restart from where it was, and remembers when it ended', async () => {
  const where = file();
  open(async ({ resume, signal }) => {
    resume?.save('half');
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    return { bytes: 0, damages: [] };
  }, where);
  await expect.poll(() => checks.list()).toMatchObject([{ finishedAt: null }]);
  await checks.close();
  now = 5000;
  let from: string | null | undefined;
  open(async ({ resume }) => {
    from = resume?.from;
    return { bytes: 20, damages: [] };
  }, where);
  await expect.poll(() => from).toBe('half');
  const ended = [{ part: 'database', startedAt: '1970-01-01T00:00:00.000Z', finishedAt: '1970-01-01T00:00:05.000Z' }];
  await expect.poll(() => checks.list()).toMatchObject(ended);
  await checks.close();
  open(quick, where, 60_000);
  expect(checks.list()).toMatchObject(ended);
});

it('begins at once and as fast as it goes where somebody asks, instead of the slow one under way', async () => {
  const speeds: number[] = [];
  open(async ({ bytesPerSecond, signal }) => {
    speeds.push(bytesPerSecond);
    if (bytesPerSecond > 0)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    return { bytes: 1, damages: [] };
  });
  await expect.poll(() => speeds.length).toBe(1);
  checks.start();
  await expect.poll(() => checks.list()).toMatchObject([{ bytes: 1, finishedAt: expect.any(String) }]);
  expect(speeds).toEqual([LIMITS.dataCheckBytesPerSecond, 0]);
});

it('tells of a part that cannot be read, and tries it again', async () => {
  let calls = 0;
  open(async () => {
    if (calls++ === 0) throw new Error('unreadable');
    return { bytes: 1, damages: [] };
  });
  await expect.poll(() => checks.list().some(({ finishedAt }) => finishedAt !== null)).toBe(true);
  expect(errors.splice(0)).toHaveLength(1);
});
