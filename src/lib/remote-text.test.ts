import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createAuthority } from './certificate-authority.fixture.ts';
import { createRemoteHttp } from './remote-http.ts';
import { askRemote, networkWords, warnIfPlain } from './remote-text.ts';

async function secured(names: readonly string[] = [], addresses = ['127.0.0.1']) {
  const authority = createAuthority('Test');
  const server = createServer(authority.issue({ names, addresses }), (_, response) => {
    response.writeHead(200, { 'retry-after': '7' }).end('hello');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca: authority.cert };
}
async function ask(url: string, ca: string | null): Promise<string> {
  const http = createRemoteHttp({ url, headers: {}, ca }, 1);
  try {
    const { text, retryAfterMs } = await askRemote(http, '/', { method: 'GET' });
    return `${text} ${retryAfterMs}`;
  } catch (error) {
    return networkWords(error);
  } finally {
    http.close();
  }
}

it('trusts the authority that it is told, and says why it trusts no other', async () => {
  const { url, ca } = await secured();
  expect(await ask(url, ca)).toBe('hello 7000');
  expect(await ask(url, null)).toMatch(/its certificate is not trusted .* name its certificate authority/);
  const other = await secured(['elsewhere.example'], []);
  expect(await ask(other.url, other.ca)).toMatch(/its certificate is for another host/);
});

it('says what is wrong with the way there', async () => {
  expect(await ask('http://127.0.0.1:1', null)).toBe('nothing listens at its address');
  expect(await ask('http://nowhere.invalid', null)).toBe('its host name cannot be resolved');
});

it('warns of credentials that are sent in the clear', () => {
  const lines: string[] = [];
  const warn = (url: string, credentials: { token: string } | null = { token: 't' }) =>
    warnIfPlain('--metrics', { url, credentials, caFile: null }, (line) => lines.push(line));
  warn('https://influx.example');
  warn('http://127.0.0.1:8086');
  warn('http://[::1]:8086');
  warn('http://influx.example', null);
  expect(lines).toEqual([]);
  warn('http://influx.example');
  expect(lines).toEqual([expect.stringContaining('http://influx.example is not encrypted')]);
});
