import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';
import { fakeIo } from './process-io.fake.ts';
import { run } from './program.ts';
import { readSecretFiles } from './secret-files.ts';

const file = (content: string): string => {
  const path = join(temporaryFolder('secret'), 'secret');
  writeFileSync(path, content);
  return path;
};

it('reads secrets from the files that variables name', () => {
  expect(
    readSecretFiles({
      YARDMASTER_ADMIN_TOKEN_FILE: file('admin\n'),
      YARDMASTER_WORKER_TOKEN_FILE: file(' w \r\n'),
      YARDMASTER_SECRETS_KEY_FILE: '',
      YARDMASTER_STORE_FILE: '/nowhere',
    }),
  ).toEqual({ YARDMASTER_ADMIN_TOKEN: 'admin', YARDMASTER_WORKER_TOKEN: ' w ' });
});

it('takes no secret from two places, and no empty one', () => {
  const path = file('x');
  expect(() => readSecretFiles({ YARDMASTER_LOGSTASH_TOKEN: 'a', YARDMASTER_LOGSTASH_TOKEN_FILE: path })).toThrow(
    /both set/,
  );
  expect(() => readSecretFiles({ YARDMASTER_LOGSTASH_TOKEN_FILE: file('\n') })).toThrow(/is empty/);
  expect(() => readSecretFiles({ YARDMASTER_LOGSTASH_TOKEN_FILE: `${path}.missing` })).toThrow(
    /YARDMASTER_LOGSTASH_TOKEN_FILE cannot be/,
  );
});

it('gives them to the command', async () => {
  const seen: { options?: { token: string } } = {};
  const { io } = fakeIo({
    env: { YARDMASTER_WORKER_TOKEN_FILE: file('ymt_of_file\n') },
    load: async () => ({
      startWorker: async (options: { token: string }) => {
        seen.options = options;
        return { workerId: 'w', master: '', closed: Promise.resolve(), close: async () => {} };
      },
    }),
  });
  expect(await run(['worker', '--master', 'http://127.0.0.1:1'], io)).toBe(0);
  expect(seen.options?.token).toBe('ymt_of_file');
});
