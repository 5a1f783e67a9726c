import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { announcedHost, listensAt } from './listens-at.ts';

const at = (address: string) => ({ address }) as NetworkInterfaceInfo;
const interfaces = { lo: [at('127.0.0.1'), at('::1')], eth0: [at('10.0.0.5'), at('fd00::5'), at('fe80::1')] };

it.each([
  ['127.0.0.1', []],
  ['localhost', []],
  ['10.0.0.5', ['10.0.0.5']],
  ['0.0.0.0', ['10.0.0.5', 'fd00::5']],
  ['::', ['10.0.0.5', 'fd00::5']],
  ['yard.example', ['10.0.0.5', 'fd00::5']],
])('bound to %s, other machines reach it at %j', (host, addresses) => {
  expect(listensAt(host, [8700, null, 9000, 0, 8700], interfaces)).toEqual({ ports: [8700, 9000], addresses });
});

it('announces the log port of the owner of a cluster under the name of its own machine', () => {
  const url = 'https://a.example.com:8700';
  expect(announcedHost('0.0.0.0', null)).toEqual({ host: '0.0.0.0' });
  expect(announcedHost('0.0.0.0', url)).toEqual({ host: 'a.example.com', name: 'a.example.com' });
  expect(announcedHost('10.0.0.5', url)).toEqual({ host: '10.0.0.5', name: 'a.example.com' });
  expect(announcedHost('::', 'http://[fd00::5]:8700')).toEqual({ host: 'fd00::5', name: 'fd00::5' });
  expect(announcedHost('127.0.0.1', url)).toEqual({ host: '127.0.0.1' });
});
