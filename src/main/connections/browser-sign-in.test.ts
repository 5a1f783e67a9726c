import { beforeEach, expect, it } from 'vitest';
import { createBrowserSignIn, type BrowserSignIn } from './browser-sign-in.ts';

const MASTER = 'https://yard.example';
let opened: string[];
let answers: Record<string, unknown>[];
let signIn: BrowserSignIn;
beforeEach(() => {
  opened = [];
  answers = [];
  signIn = createBrowserSignIn({ open: (url) => void opened.push(url) });
});

const code = {
  ...{ deviceCode: 'yd_1', userCode: 'BCDF-GHJK', verificationUrlComplete: 'https://evil.example' },
  ...{ expiresIn: 600, interval: 0 },
};
const send = async (url: string): Promise<Response> => {
  if (url === `${MASTER}/api/v1/device/code`) return Response.json(code);
  const { status = 200, ...body } = answers.shift() ?? { token: 'yt_secret' };
  return Response.json(body, { status: Number(status) });
};

it('opens the page of that very master, waits, and keeps the token behind a ticket', async () => {
  answers = [{ status: 400, code: 'AUTHORIZATION_PENDING' }];
  const { ticket, userCode } = await signIn.begin(`${MASTER}, https://second.example`, send);
  expect([userCode, opened]).toEqual(['BCDF-GHJK', [`${MASTER}/device?code=BCDF-GHJK`]]);
  expect(ticket).not.toContain('yt_secret');
  await signIn.done(ticket);
  expect(signIn.tokenOf(ticket, `${MASTER},https://second.example`)).toBe('yt_secret');
  expect(signIn.tokenOf('yt_pasted', 'https://any.example')).toBe('yt_pasted');
});

it('gives the token to no other address, and none before it was approved', async () => {
  const { ticket } = await signIn.begin(MASTER, send);
  await signIn.done(ticket);
  expect(() => signIn.tokenOf(ticket, 'https://evil.example')).toThrow('another URL');
  expect(() => signIn.tokenOf('ticket:made-up', MASTER)).toThrow('another URL');
});

it('says where it was denied, where the master has no people, and where there is no master', async () => {
  answers = [{ status: 403, code: 'DEVICE_DENIED', detail: 'the sign-in was denied in the browser' }];
  const { ticket } = await signIn.begin(MASTER, send);
  await expect(signIn.done(ticket)).rejects.toThrow('denied');
  const nobody = async () => Response.json({ code: 'SIGN_IN_UNAVAILABLE', detail: 'no people' }, { status: 409 });
  await expect(signIn.begin(MASTER, nobody)).rejects.toThrow('no people');
  await expect(signIn.begin(MASTER, () => Promise.reject(new Error('gone')))).rejects.toThrow('does not respond');
  await expect(signIn.begin('http://yard.example', send)).rejects.toThrow('plain text');
  expect(opened).toHaveLength(1);
});
