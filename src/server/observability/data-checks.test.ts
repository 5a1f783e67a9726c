import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { createDataChecks } from './data-checks.ts';
import type { DataChecks, Verify, VerifyOptions } from './port.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let now = 0;
let checks: DataChecks;
let errors: unknown[] = [];
afterEach(async () => {
  await checks.close();
  expect(errors.splice(0)).toEqual([]);
  now = 0;
});
const file = () => join(temporaryFolder('ym-checks'), 'checks.json');

function open(verify: Verify, where = file(), lookMs = 5, clock = () => now): DataChecks {
  checks = createDataChecks({
    parts: { database: verify },
    file: where,
    limits: { ...LIMITS, dataCheckDays: 7 },
    now: clock,
    log: () => {},
    onError: (error) => void errors.push(error),
    lookMs,
  });
  return checks;
}
/** Opens where the part was first seen an hour ago. */
function seen(verify: Verify, where = file()): DataChecks {
  now = HOUR_MS;
  writeFileSync(where, JSON.stringify({ database: { since: 0 } }));
  return open(verify, where);
}
const quick: Verify = async () => ({ bytes: 10, damages: [] });

it('reads a part that was never read an hour after it was first seen, over restarts', async () => {
  const where = file();
  let looks = 0;
  let reads = 0;
  const verify: Verify = async () => (reads++, { bytes: 10, damages: [] });
  const isLooked = async () => {
    const before = looks;
    await expect.poll(() => looks).toBeGreaterThan(before + 1);
  };
  const clock = () => (looks++, now);
  open(verify, where, 5, clock);
  await isLooked();
  await checks.close();
  now = HOUR_MS - 1;
  open(verify, where, 5, clock);
  await isLooked();
  expect(reads).toBe(0);
  now = HOUR_MS;
  await expect.poll(() => reads).toBe(1);
});

it('reads a part again after some days, slowly', async () => {
  const calls: VerifyOptions[] = [];
  seen(async (options) => {
    calls.push(options);
    return { bytes: 10, damages: [] };
  });
  await expect.poll(() => checks.list()).toMatchObject([{ part: 'database', bytes: 10, damages: 0 }]);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.bytesPerSecond).toBe(LIMITS.dataCheckBytesPerSecond);
  now = 7 * DAY_MS;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toHaveLength(1);
  now = 7 * DAY_MS + HOUR_MS;
  await expect.poll(() => calls.length).toBe(2);
});

it('goes on after a restart from where it was, and remembers when it ended', async () => {
  const where = file();
  seen(async ({ resume, signal }) => {
    resume?.save('half');
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    return { bytes: 0, damages: [] };
  }, where);
  await expect.poll(() => checks.list()).toMatchObject([{ finishedAt: null }]);
  await checks.close();
  now = HOUR_MS + 5000;
  let from: string | null | undefined;
  open(async ({ resume }) => {
    from = resume?.from;
    return { bytes: 20, damages: [] };
  }, where);
  await expect.poll(() => from).toBe('half');
  const ended = [{ part: 'database', startedAt: '1970-01-01T01:00:00.000Z', finishedAt: '1970-01-01T01:00:05.000Z' }];
  await expect.poll(() => checks.list()).toMatchObject(ended);
  await checks.close();
  open(quick, where, 60_000);
  expect(checks.list()).toMatchObject(ended);
});

it('begins at once and as fast as it goes where somebody asks, instead of the slow one under way', async () => {
  const speeds: number[] = [];
  seen(async ({ bytesPerSecond, signal }) => {
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
  seen(async () => {
    if (calls++ === 0) throw new Error('unreadable');
    return { bytes: 1, damages: [] };
  });
  await expect.poll(() => checks.list().some(({ finishedAt }) => finishedAt !== null)).toBe(true);
  expect(errors.splice(0)).toHaveLength(1);
});
