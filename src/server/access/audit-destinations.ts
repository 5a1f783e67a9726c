import { createHmac } from 'node:crypto';
import { open } from 'node:fs/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import type { AuditEntry } from '../../contract/access.ts';
import type { AuditExportOptions } from '../../contract/process.ts';
import { Fault } from '../../lib/fault.ts';
import { isLoopback } from '../../lib/loopback.ts';
import type { AuditDestination } from './audit-export.ts';

const PATIENCE_MS = 30_000;
/** The most that one datagram of IPv4 takes is 65,507 bytes. */
const DATAGRAM_BYTES = 60_000;
/** Facility 13 (audit), severity 6 (informational). */
const PRIORITY = 13 * 8 + 6;
/** The number that is reserved for examples: there is none of ours. */
const ENTERPRISE = 32_473;
const SYSLOG_PORTS: Readonly<Record<string, number>> = { 'udp:': 514, 'tcp:': 601, 'tls:': 6514 };

/** Where the options send the audit log. Throws USAGE for what is no such place. */
export function auditDestinations(options: AuditExportOptions): AuditDestination[] {
  return [
    ...(options.file === null ? [] : [toFile(options.file)]),
    ...(options.syslog === null ? [] : [toSyslog(options.syslog)]),
    ...(options.webhook === null ? [] : [toWebhook(options.webhook, options.webhookSecret)]),
  ];
}

/** Appends JSON lines. The file is opened anew for each batch, so that it can be moved away (logrotate). */
function toFile(path: string): AuditDestination {
  return {
    name: `file:${path}`,
    async send(entries) {
      const file = await open(path, 'a', 0o600);
      try {
        await file.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
        await file.datasync();
      } finally {
        await file.close();
      }
    },
    close: () => undefined,
  };
}

/** An entry as a message of RFC 5424. */
export function syslogMessage(entry: AuditEntry, host: string, pid: number): Buffer {
  const word = (text: string, most: number) => text.replace(/[^!-~]/g, '_').slice(0, most) || '-';
  const value = (text: string) => text.replace(/["\\\]]/g, String.raw`\$&`);
  const data = `[audit@${ENTERPRISE} number="${entry.number}" hash="${value(entry.hash ?? '')}"]`;
  return Buffer.from(
    `<${PRIORITY}>1 ${entry.at} ${word(host, 255)} yardmaster ${pid} ${word(entry.action, 32)} ${data} \uFEFF${JSON.stringify(entry)}`,
  );
}

function toSyslog(address: string): AuditDestination {
  const url = URL.parse(address);
  const port = Number(url?.port || SYSLOG_PORTS[url?.protocol ?? '']);
  if (url === null || SYSLOG_PORTS[url.protocol] === undefined || url.hostname === '' || !(port > 0))
    throw new Fault(
      'USAGE',
      `--audit-syslog expects tls://HOST:PORT, tcp://HOST:PORT or udp://HOST:PORT, got "${address}"`,
    );
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const messages = (entries: readonly AuditEntry[]) =>
    entries.map((entry) => syslogMessage(entry, hostname(), process.pid));
  const name = `syslog:${url.protocol}//${url.hostname}:${port}`;
  if (url.protocol === 'udp:')
    return {
      name,
      async send(entries) {
        const socket = process.getBuiltinModule('node:dgram').createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
        try {
          for (const entry of entries) {
            const whole = syslogMessage(entry, hostname(), process.pid);
            const message =
              whole.length <= DATAGRAM_BYTES
                ? whole
                : syslogMessage({ ...entry, before: null, after: 'too large for a datagram' }, hostname(), process.pid);
            await new Promise<void>((resolve, reject) =>
              socket.send(message, port, host, (error) => (error ? reject(error) : resolve())),
            );
          }
        } finally {
          socket.close();
        }
      },
      close: () => undefined,
    };
  let socket: Socket | null = null;
  async function connected(): Promise<Socket> {
    if (socket !== null && !socket.destroyed && socket.writable) return socket;
    const made =
      url?.protocol === 'tls:'
        ? process.getBuiltinModule('node:tls').connect({ host, port, servername: isIP(host) ? '' : host })
        : connectTcp({ host, port });
    socket = made;
    await new Promise<void>((resolve, reject) => {
      made.once(url?.protocol === 'tls:' ? 'secureConnect' : 'connect', resolve);
      made.once('error', reject);
      made.setTimeout(PATIENCE_MS, () =>
        made.destroy(new Error(`no connection to ${address} within ${PATIENCE_MS / 1000} s`)),
      );
    });
    made.setTimeout(0);
    // What fails later is told by the next write; nothing is read.
    made.on('error', () => undefined).resume();
    // Whoever hangs up is noticed, and connected to anew.
    made.once('end', () => made.destroy());
    return made;
  }
  return {
    name,
    async send(entries) {
      const to = await connected();
      // Octet counting (RFC 6587, RFC 5425): no byte of a message ends it.
      const bytes = Buffer.concat(messages(entries).flatMap((message) => [Buffer.from(`${message.length} `), message]));
      await new Promise<void>((resolve, reject) => {
        const closed = () => reject(new Error(`${address} hung up`));
        to.once('close', closed);
        to.write(bytes, (error) => {
          to.off('close', closed);
          if (error) reject(error);
          else resolve();
        });
      });
    },
    close: () => void socket?.destroy(),
  };
}

/** Posts `{entries}`. With a secret, `x-yardmaster-signature` has the HMAC-SHA256 of the body, in hexadecimal. */
function toWebhook(address: string, secret: string | null): AuditDestination {
  const url = URL.parse(address);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))))
    throw new Fault('USAGE', `--audit-webhook expects an https:// URL, or http:// on this machine, got "${address}"`);
  const stopping = new AbortController();
  return {
    name: `webhook:${url.origin}${url.pathname}`,
    async send(entries) {
      const body = JSON.stringify({ entries });
      const answer = await fetch(url, {
        method: 'POST',
        body,
        redirect: 'error',
        headers: {
          'content-type': 'application/json',
          ...(secret === null
            ? {}
            : { 'x-yardmaster-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
        },
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(PATIENCE_MS)]),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`${url.origin} answered with ${answer.status}`);
    },
    close: () => stopping.abort(),
  };
}
