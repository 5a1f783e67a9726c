import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { superviseWorkers } from './supervisor.ts';

afterEach(() => vi.unstubAllEnvs());

it('starts local workers without the admin token and the encryption key of the master', async () => {
  vi.stubEnv('YARDMASTER_ADMIN_TOKEN', 'admin');
  vi.stubEnv('YARDMASTER_SECRETS_KEY', 'key');
  const folder = temporaryFolder('supervisor');
  const cli = join(folder, 'cli.mjs');
  const seen = join(folder, 'seen.json');
  writeFileSync(
    cli,
    `import { renameSync, writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(`${seen}.part`)}, JSON.stringify(process.env));
renameSync(${JSON.stringify(`${seen}.part`)}, ${JSON.stringify(seen)});
process.stdin.on('end', () => process.exit()).resume();`,
  );
  const supervisor = superviseWorkers({ count: 1, capacity: 1, token: 'worker', caFile: null, cli, log: () => {} });
  await expect.poll(() => existsSync(seen)).toBe(true);
  const env = JSON.parse(readFileSync(seen, 'utf8')) as NodeJS.ProcessEnv;
  expect(env).toMatchObject({ PATH: process.env['PATH'], YARDMASTER_WORKER_TOKEN: 'worker' });
  expect(Object.keys(env)).not.toContain('YARDMASTER_ADMIN_TOKEN');
  expect(Object.keys(env)).not.toContain('YARDMASTER_SECRETS_KEY');
  await supervisor.close(0);
});
