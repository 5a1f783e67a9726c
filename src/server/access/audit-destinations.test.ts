import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readFileSync, renameSync, statSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AuditEntry } from '../../contract/access.ts';
import { createAuthority } from '../../lib/certificate-authority.fixture.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { auditDestinations, syslogMessage } from './audit-destinations.ts';

const NONE = { file: null, syslog: null, webhook: null, webhookSecret: null };
const entry = (number: number, over: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ id: `id-${number}`, at: '2026-01-01T00:00:00.000Z', actor: 'Änn', role: 'admin', address: null },
  ...{ action: 'token.create', target: 'token:1', before: null, after: { number }, number, hash: 'h=' },
  ...over,
});
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
function destination(options: Partial<typeof NONE> | Record<string, string>) {
  const [made] = auditDestinations({ ...NONE, ...options });
  if (!made) throw new Error('no destination');
  closing.push(made.close);
  return made;
}
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

it('a file gets a line for each entry, for its owner alone, also after it was moved away', async () => {
  const file = join(temporaryFolder('destination'), 'audit.jsonl');
  const to = destination({ file });
  await to.send([entry(1), entry(2)]);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  renameSync(file, `${file}.1`);
  await to.send([entry(3)]);
  const lines = [`${file}.1`, file].map((name) => readFileSync(name, 'utf8').trimEnd().split('\n'));
  expect(lines.map((some) => some.map((line) => (JSON.parse(line) as AuditEntry).number))).toEqual([[1, 2], [3]]);
});

describe('syslog', () => {
  it('has the form of RFC 5424', () => {
    expect(String(syslogMessage(entry(1, { action: 'a b', hash: '"]\\' }), 'höst', 7))).toBe(
      `<110>1 2026-01-01T00:00:00.000Z h_st yardmaster 7 a_b [audit@32473 number="1" hash="\\"\\]\\\\"] \uFEFF${JSON.stringify(entry(1, { action: 'a b', hash: '"]\\' }))}`,
    );
  });

  /** Messages by their counts of octets. */
  function counted(received: Buffer): string[] {
    const messages: string[] = [];
    for (let at = 0; at < received.length;) {
      const space = received.indexOf(' ', at);
      const length = Number(received.subarray(at, space).toString());
      messages.push(received.subarray(space + 1, space + 1 + length).toString());
      at = space + 1 + length;
    }
    return messages;
  }

  it.each(['tcp', 'tls'])('goes over %s with its length before it, and connects again', async (kind) => {
    const received: Buffer[] = [];
    const sockets: Socket[] = [];
    const take = (socket: Socket) => {
      sockets.push(socket);
      socket.on('error', () => {}).on('data', (bytes) => received.push(bytes));
    };
    const authority = createAuthority('syslog');
    const before = getCACertificates('default');
    if (kind === 'tls') {
      setDefaultCACertificates([authority.cert]);
      closing.push(() => setDefaultCACertificates(before));
    }
    const port = await listen(
      kind === 'tls' ? createTlsServer(authority.issue({ names: ['localhost'] }), take) : createServer(take),
    );
    const to = destination({ syslog: `${kind}://localhost:${port}` });
    await to.send([entry(1), entry(2)]);
    await vi.waitFor(() => expect(counted(Buffer.concat(received))).toHaveLength(2));
    expect(counted(Buffer.concat(received))[1]).toMatch(/^<110>1 .* token\.create \[audit@32473 number="2"/);
    for (const socket of sockets.splice(0)) socket.destroy();
    // The first write after that may go into the connection that is gone: it is sent again then.
    await vi.waitFor(async () => {
      await to.send([entry(3)]);
      expect(sockets).toHaveLength(1);
    });
  });

  it('goes in datagrams, one for each entry, without its content where that is too large', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    closing.push(() => socket.close());
    const received: string[] = [];
    socket.on('message', (message) => received.push(String(message)));
    await destination({ syslog: `udp://127.0.0.1:${socket.address().port}` }).send([
      entry(1),
      entry(2, { after: 'x'.repeat(100_000) }),
    ]);
    await vi.waitFor(() => expect(received).toHaveLength(2));
    expect(received[1]).toContain('too large for a datagram');
  });

  it('rejects where nobody listens', async () => {
    const port = await listen(createServer());
    await Promise.all(closing.splice(0).map((close) => close()));
    await expect(destination({ syslog: `tcp://127.0.0.1:${port}` }).send([entry(1)])).rejects.toThrow('ECONNREFUSED');
  });
});

it('a webhook gets signed batches, and has to accept them', async () => {
  let status = 204;
  const received: { body: string; signature: unknown }[] = [];
  const port = await listen(
    createHttpServer(async (request, response) => {
      received.push({ body: await text(request), signature: request.headers['x-yardmaster-signature'] });
      response.writeHead(status).end();
    }),
  );
  const to = destination({ webhook: `http://127.0.0.1:${port}/audit`, webhookSecret: 's3cret' });
  await to.send([entry(1), entry(2)]);
  const [first] = received;
  expect(JSON.parse(first?.body ?? '')).toEqual({ entries: [entry(1), entry(2)] });
  expect(first?.signature).toBe(
    `sha256=${createHmac('sha256', 's3cret')
      .update(first?.body ?? '')
      .digest('hex')}`,
  );
  status = 500;
  await expect(to.send([entry(3)])).rejects.toThrow('answered with 500');
});

it.each([
  [{ syslog: 'http://host' }, /--audit-syslog expects/],
  [{ syslog: 'somewhere' }, /--audit-syslog expects/],
  [{ webhook: 'http://siem.example/' }, /https/],
  [{ webhook: 'nowhere' }, /--audit-webhook expects/],
])('%j is no destination', (options, why) => {
  expect(() => auditDestinations({ ...NONE, ...options })).toThrow(why);
});
