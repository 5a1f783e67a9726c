import { describe, expect, it } from 'vitest';
import { isMasterAddress, masterPorts, namesMaster } from './master-ports.ts';

const policy = {
  allowPrivate: true,
  allow: [],
  master: { ports: [8700, 9428, 8086, 9000], addresses: ['10.0.0.5', 'fd00::5'] },
};
const see = (master: string, own: readonly string[] = [], socket: string | null = null) =>
  masterPorts(policy, { masters: [master, 'http://other.example:8701'], socket }, own);

describe('a worker on the machine of the master', () => {
  it.each([
    ['over loopback', see('http://127.0.0.1:8700')],
    ['over localhost', see('http://localhost:8700')],
    ['over a socket file', see('http://yard.example:8700', [], '/run/yardmaster.sock')],
    ['over its network', see('http://10.0.0.5:8700', ['10.0.0.5'])],
  ])('%s, reaches none of its ports at any address', (_how, ports) => {
    for (const address of [
      '127.0.0.1',
      '127.9.9.9',
      '::1',
      '::ffff:127.0.0.1',
      '10.0.0.5',
      '::ffff:10.0.0.5',
      'fd00::5',
    ])
      for (const port of [8700, 9428, 8086, 9000]) expect(isMasterAddress(address, port, ports)).toBe(true);
    for (const [address, port] of [['127.0.0.1', 8701] as const, ['10.0.0.6', 8700] as const])
      expect(isMasterAddress(address, port, ports)).toBe(false);
  });
});

describe('a worker on another machine', () => {
  const ports = see('https://yard.example', ['10.0.0.9']);
  it('may call its own loopback, and not the master', () => {
    expect(isMasterAddress('127.0.0.1', 9000, ports)).toBe(false);
    expect(isMasterAddress('10.0.0.5', 9000, ports)).toBe(true);
  });
  it('does not call the master by the name that it knows either', () => {
    for (const url of [
      'https://yard.example/api',
      'https://YARD.example./',
      'http://yard.example:8700',
      'http://yard.example:9428',
      'http://other.example:8701/api',
    ])
      expect(namesMaster(new URL(url), ports)).toBe(true);
    for (const url of ['http://yard.example', 'https://other.example', 'https://yard.example:444'])
      expect(namesMaster(new URL(url), ports)).toBe(false);
  });
  it('knows no ports of a master that tells none', () => {
    const none = masterPorts({ allowPrivate: true, allow: [] }, { masters: ['http://127.0.0.1:8700'], socket: null });
    expect(isMasterAddress('127.0.0.1', 9000, none)).toBe(false);
    expect(namesMaster(new URL('http://127.0.0.1:8700'), none)).toBe(true);
  });
});
