import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { ChannelSettings } from '../../../contract/api-alerts.ts';
import { refuseAddress } from '../../../lib/addresses.ts';
import { refusedHost, type Sent } from './post.ts';

/** One mail on its way. */
export interface Mail {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly settings: ChannelSettings;
  readonly password: string | null;
}

/** Addresses, a semicolon or comma between. */
export const addressesOf = (to: string | undefined): string[] => (to ?? '').split(/[;,]/).map((one) => one.trim()).filter((one) => one !== '');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Sends a mail with a text and an HTML part. Its `Message-ID` is the message's: the same mail twice is one for its reader. Never throws. */
export async function sendMail({ id, title, text, settings, password }: Mail, seconds: number): Promise<Sent> {
  const { host = 'localhost', security = 'starttls', user, from = 'yardmaster@localhost', verifyTls = true, singleEmail = true } = settings;
  const to = addressesOf(settings.to);
  const refused = refusedHost(host);
  if (refused !== null) return { ok: false, status: null, answer: refused, retry: false };
  try {
    const { address } = isIP(host) === 0 ? await lookup(host) : { address: host };
    const bad = refuseAddress(host, address, { allowPrivate: true, allow: [] });
    if (bad !== null) return { ok: false, status: null, answer: bad, retry: false };
    // Most masters send no mail: its code is not loaded before.
    const { default: nodemailer } = await import('nodemailer');
    const transport = nodemailer.createTransport({
      host: address,
      port: settings.port ?? (security === 'tls' ? 465 : 587),
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      connectionTimeout: seconds * 1000,
      greetingTimeout: seconds * 1000,
      socketTimeout: seconds * 1000,
      tls: { ...(isIP(host) === 0 ? { servername: host } : {}), rejectUnauthorized: verifyTls },
      ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      const html = `<!doctype html><html><body style="font-family:sans-serif"><h2>${escaped(title)}</h2><pre style="font-size:14px;white-space:pre-wrap">${escaped(text)}</pre></body></html>`;
      const answers: string[] = [];
      const rounds = singleEmail ? [to] : to.map((one) => [one]);
      for (const [i, addresses] of rounds.entries()) {
        const sent = await transport.sendMail({ from, to: addresses, subject: title, text, html, messageId: `<${id}${rounds.length > 1 ? `.${i}` : ''}@yardmaster>`, headers: { 'X-Yardmaster-Message': id } });
        answers.push(sent.response);
      }
      return { ok: true, status: Number(/^\d{3}/.exec(answers[0] ?? '')?.[0] ?? 250), answer: answers.join('\n'), retry: false };
    } finally {
      transport.close();
    }
  } catch (error) {
    const { responseCode, code, message } = error as { responseCode?: number; code?: string; message: string };
    // 4xx asks to come again, 5xx says never.
    return { ok: false, status: responseCode ?? null, answer: message, retry: responseCode === undefined ? code !== 'EENVELOPE' : responseCode < 500 };
  }
}
