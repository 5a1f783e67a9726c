import { expect, it } from 'vitest';
import { parsePipelineAddress } from './pipeline-address.ts';

it.each([
  ['127.0.0.1:9000', { host: '127.0.0.1', port: 9000, tls: false }],
  ['tls://logs.example:9000', { host: 'logs.example', port: 9000, tls: true }],
  ['[::1]:1', { host: '::1', port: 1, tls: false }],
  ['tls://[fd00::1]:65535', { host: 'fd00::1', port: 65_535, tls: true }],
])('reads %s', (text, address) => {
  expect(parsePipelineAddress(text)).toEqual(address);
});

it.each(['', 'host', ':9000', 'host:', 'host:0', 'host:65536', 'tcp://host:9000', 'tls:host:9000', 'a b:1', 'h:1/x'])(
  'refuses %j',
  (text) => {
    expect(parsePipelineAddress(text)).toBeNull();
  },
);
