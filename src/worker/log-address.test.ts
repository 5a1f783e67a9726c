import { expect, it } from 'vitest';
import { logAddress } from './log-address.ts';

const announced = { host: '0.0.0.0', port: 9000, tls: true, auth: true };
const options = { master: 'https://yard.example:8700', token: 'yt_w', logstash: null };

it('uses TLS where the master does, under its name', () => {
  expect(logAddress(announced, options)).toEqual({
    host: 'yard.example',
    port: 9000,
    tls: 'yard.example',
    token: 'yt_w',
  });
  expect(logAddress({ ...announced, host: '10.0.0.5' }, options)).toMatchObject({
    host: '10.0.0.5',
    tls: 'yard.example',
  });
});

it('is plain for a worker beside the master, whose certificate does not name loopback', () => {
  expect(logAddress(announced, { ...options, master: 'http://127.0.0.1:40000' })).toEqual({
    host: '127.0.0.1',
    port: 9000,
    tls: null,
    token: 'yt_w',
  });
});

it('keeps the token from a master that does not ask for it, and from a pipeline of somebody else', () => {
  expect(logAddress({ host: '127.0.0.1', port: 9000 }, options)).toMatchObject({ token: null, tls: null });
  expect(logAddress(announced, { ...options, logstash: { host: 'logs.example', port: 1 } })).toEqual({
    host: 'logs.example',
    port: 1,
    tls: null,
    token: null,
  });
});
