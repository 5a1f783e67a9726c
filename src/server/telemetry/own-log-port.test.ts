import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { refuseOwnLogPort } from './own-log-port.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'logs.internal': ['10.1.2.3'],
  'this-machine': ['127.0.1.1'],
  localhost: ['127.0.0.1', '::1'],
};
const check = (authority: string, host = '127.0.0.1', scheme = 'http') =>
  refuseOwnLogPort(`${scheme}://${authority}/insert/opentelemetry/v1/logs`, { host, port: 9428 }, async (name) =>
    /^[\d.]+$|:/.test(name) ? [name] : (NAMES[name] ?? []),
  );
const refused = { code: 'USAGE', message: expect.stringContaining('the log port of this master') };

describe('the export of log lines to the own log port', () => {
  it.each([
    ['127.0.0.1:9428', '127.0.0.1'],
    ['localhost:9428', '127.0.0.1'],
    ['LOCALHOST.:9428', '127.0.0.1'],
    ['master.localhost:9428', '127.0.0.1'],
    ['0.0.0.0:9428', '127.0.0.1'],
    ['[::ffff:127.0.0.1]:9428', '127.0.0.1'],
    ['[::1]:9428', '::1'],
    ['127.0.0.1:9428', 'localhost'],
    ['localhost:9428', '0.0.0.0'],
    ['127.0.0.9:9428', '0.0.0.0'],
    ['[::1]:9428', '::'],
    ['this-machine:9428', '0.0.0.0'],
    ['logs.internal:9428', '10.1.2.3'],
  ])('is refused: %s, where it is bound to %s', async (authority, host) => {
    await expect(check(authority, host)).rejects.toMatchObject(refused);
    await expect(check(authority, host, 'https')).rejects.toMatchObject(refused);
  });

  it('is refused by each address of this machine, where it is bound to all', async () => {
    for (const { address } of Object.values(networkInterfaces()).flatMap((some) => some ?? []))
      await expect(check(address.includes(':') ? `[${address}]:9428` : `${address}:9428`, '::')).rejects.toMatchObject(
        refused,
      );
  });

  it.each([
    ['127.0.0.1:4318', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.2:9428', '127.0.0.1'],
    ['logs.internal:9428', '0.0.0.0'],
    ['nowhere.internal:9428', '0.0.0.0'],
    ['localhost:9428', '10.1.2.3'],
  ])('is another port: %s, where it is bound to %s', async (authority, host) => {
    await expect(check(authority, host)).resolves.toBeUndefined();
  });
});
