import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { recordingWorker } from './recording-worker.fixture.ts';
import { superviseWorkers } from './supervisor.ts';

afterEach(() => vi.unstubAllEnvs());

it('starts local workers without the admin token and the encryption key of the master', async () => {
  vi.stubEnv('YARDMASTER_ADMIN_TOKEN', 'admin');
  vi.stubEnv('YARDMASTER_SECRETS_KEY', 'key');
  const { cli, seen } = recordingWorker();
  const supervisor = superviseWorkers({ count: 1, capacity: 1, token: 'worker', caFile: null, cli, log: () => {} });
  await expect.poll(() => existsSync(seen)).toBe(true);
  const env = JSON.parse(readFileSync(seen, 'utf8')) as NodeJS.ProcessEnv;
  expect(env).toMatchObject({ PATH: process.env['PATH'], YARDMASTER_WORKER_TOKEN: 'worker' });
  expect(Object.keys(env)).not.toContain('YARDMASTER_ADMIN_TOKEN');
  expect(Object.keys(env)).not.toContain('YARDMASTER_SECRETS_KEY');
  await supervisor.close(0);
});
