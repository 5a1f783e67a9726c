import { expect, it } from 'vitest';
import { connectToMaster } from './api-client.ts';
import { fakeIo } from './process-io.fake.ts';
import { run } from './program.ts';

const connect = (url: string, more: { token?: string; allowPlain?: boolean }) =>
  connectToMaster({ url, ...more }, { env: {} }).url;

it.each(['http://yard.example:8700', 'http://10.0.0.5', 'http://127.0.0.1.example.org'])(
  'sends no token in the clear to %s',
  (url) => {
    expect(() => connect(url, { token: 'ymt_x' })).toThrow(/not encrypted.*--allow-plain/s);
    expect(connect(url, { token: 'ymt_x', allowPlain: true })).toBe(url);
    expect(connect(url, {})).toBe(url);
  },
);

it('sends no API key in the clear either', async () => {
  const { io, err } = fakeIo({ stdin: async () => '[]' });
  const send = ['event', 'send', 'w', 'dev', '--api-key', 'k', '--url', 'http://yard.example:8700'];
  expect(await run(send, io)).toBe(2);
  expect(err.join('\n')).toMatch(/not encrypted.*--allow-plain/s);
});

it.each(['https://yard.example', 'http://127.0.0.1:8700', 'http://localhost:8700', 'http://[::1]:8700'])(
  'sends it to %s',
  (url) => {
    expect(connect(url, { token: 'ymt_x' })).toBe(url);
  },
);
