import { expect, it } from 'vitest';
import { connectToMaster } from './api-client.ts';

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

it.each(['https://yard.example', 'http://127.0.0.1:8700', 'http://localhost:8700', 'http://[::1]:8700'])(
  'sends it to %s',
  (url) => {
    expect(connect(url, { token: 'ymt_x' })).toBe(url);
  },
);
