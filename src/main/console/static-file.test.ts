import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { serveStaticFile } from './static-file.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

let folder: string;
beforeAll(() => {
  const home = temporaryFolder('console');
  folder = join(home, 'renderer/');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(home, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'index.html'), '<script nonce="__CSP_NONCE__"></script><meta nonce="__CSP_NONCE__">');
  writeFileSync(join(folder, 'assets/a.js'), '1');
});

test('every place of the console is the page, with a nonce of its own that the policy names', async () => {
  const [one, two] = await Promise.all([serveStaticFile(folder, '/jobs/123'), serveStaticFile(folder, '/')]);
  const nonces = (await one.text()).match(/nonce="([^"]+)"/g) ?? [];
  expect(nonces).toHaveLength(2);
  const nonce = nonces[0]?.slice(7, -1) ?? '';
  expect(one.headers.get('content-security-policy')).toContain(`script-src 'self' 'nonce-${nonce}'`);
  expect(one.headers.get('content-security-policy')).not.toContain('unsafe');
  expect(await two.text()).not.toContain(nonce);
});

test('a file comes with its type', async () => {
  const answer = await serveStaticFile(folder, '/assets/a.js');
  expect(await answer.text()).toBe('1');
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/assets/../../secret.txt',
  '/assets/none.js',
  '/%E0%A4%A.txt',
  '/a%00.js',
])('%s is not found', async (path) => {
  expect((await serveStaticFile(folder, path)).status).toBe(404);
});
