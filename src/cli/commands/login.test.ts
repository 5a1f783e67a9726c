import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeIo, fakeMaster } from '../process-io.fake.ts';
import { run } from '../program.ts';

let folder = '';
let answers: { status: number; code: string }[];
let asked: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logins-'));
  answers = [];
  asked = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const master = fakeMaster(({ method, path, headers, body }, response) => {
  asked.push(`${method} ${path} ${headers.authorization ?? '-'} ${body}`.trim());
  const problem = ({ status, code }: { status: number; code: string }) => {
    response.statusCode = status;
    return { type: 'about:blank', title: code, status, code, detail: code, instance: path };
  };
  if (path === '/api/v1/device/code')
    return {
      ...{ deviceCode: 'yd_1', userCode: 'BCDF-GHJK', verificationUrl: 'https://evil.example/device' },
      ...{ verificationUrlComplete: 'https://evil.example/device?code=BCDF-GHJK', expiresIn: 600, interval: 0 },
    };
  if (path === '/api/v1/device/token') {
    const next = answers.shift();
    return next ? problem(next) : { id: 'token-1', token: 'yt_secret', expiresAt: '2027-01-01T00:00:00.000Z' };
  }
  if (path === '/api/v1/session') {
    if (headers.authorization !== 'Bearer yt_secret') return problem({ status: 401, code: 'TOKEN_INVALID' });
    return { actor: 'ann', role: 'operator', expiresAt: null, user: { id: 'u', login: 'ann', name: 'Ann A.' } };
  }
  response.statusCode = 204;
  response.end();
  return undefined;
});

async function command(...args: string[]) {
  const { io, out, err } = fakeIo({ env: { YARDMASTER_LOGINS: join(folder, 'deep', 'logins.json') } });
  const code = await run([...args, '--url', master.url], io);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

it('shows the code, waits for the approval, keeps the token for its owner alone, and uses it for this URL', async () => {
  answers = [{ status: 400, code: 'AUTHORIZATION_PENDING' }];
  const { code, out } = await command('login');
  expect([code, out]).toEqual([0, expect.stringContaining('BCDF-GHJK')]);
  expect(out).toContain('as ann');
  expect(out).not.toContain('yt_secret');
  const file = join(folder, 'deep', 'logins.json');
  expect([statSync(file).mode & 0o777, statSync(join(folder, 'deep')).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ [master.url]: { token: 'yt_secret', actor: 'ann' } });
  const who = await command('whoami');
  expect([who.code, who.out]).toEqual([0, expect.stringContaining('ann (Ann A.), role operator')]);

  expect((await command('logout')).out).toContain('Signed out');
  expect(asked.at(-1)).toBe('DELETE /api/v1/me/tokens/token-1 Bearer yt_secret');
  expect((await command('whoami')).code).toBe(1);
  expect((await command('logout')).err).toContain('nobody is signed in');
});

it('says where it was denied, and keeps nothing', async () => {
  answers = [{ status: 403, code: 'DEVICE_DENIED' }];
  const { code, err } = await command('login');
  expect([code, err]).toEqual([1, expect.stringContaining('DEVICE_DENIED')]);
  expect((await command('whoami')).code).toBe(1);
});

it('asks no other machine in the clear', async () => {
  const { io, err } = fakeIo({ env: { YARDMASTER_LOGINS: join(folder, 'logins.json') } });
  expect(await run(['login', '--url', 'http://yard.example'], io)).toBe(2);
  expect(err.join()).toContain('not encrypted');
});
