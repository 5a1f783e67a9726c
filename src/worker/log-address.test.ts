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
  const given = { host: 'logs.example', port: 1, tls: false, token: null };
  expect(logAddress(announced, { ...options, logstash: given })).toEqual({
    host: 'logs.example',
    port: 1,
    tls: null,
    token: null,
  });
  expect(logAddress(announced, { ...options, logstash: { ...given, tls: true, token: 'of-the-pipeline' } })).toEqual({
    host: 'logs.example',
    port: 1,
    tls: 'logs.example',
    token: 'of-the-pipeline',
  });
});

it('goes to the owner of a cluster, under its name and encrypted, whichever master the worker came to', () => {
  const owner = { host: 'a.example', name: 'a.example', port: 9000, tls: true, auth: true };
  const tls = (over: object, master = 'https://b.example:8700') =>
    logAddress({ ...owner, ...over }, { ...options, master })?.tls;
  expect(tls({})).toBe('a.example');
  expect(tls({ host: '10.0.0.5' })).toBe('a.example');
  // A worker of another master's machine: its link is loopback, its lines cross the network.
  expect(tls({}, 'http://127.0.0.1:40000')).toBe('a.example');
  expect(tls({ host: '127.0.0.1' }, 'http://127.0.0.1:40000')).toBeNull();
  expect(tls({ tls: false })).toBeNull();
});
