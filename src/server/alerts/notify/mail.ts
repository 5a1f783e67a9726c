import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { ChannelSettings } from '../../../contract/alert-channels.ts';
import { refuseAddress } from '../../../lib/addresses.ts';
import { refusedHost, type SendResult } from './post.ts';

/** One mail on its way. */
export interface Mail {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly settings: ChannelSettings;
  readonly password: string | null;
  /** Addresses that have it already, where each gets a mail of its own. */
  readonly taken?: readonly string[];
}

/** Addresses, a semicolon or comma between. */
export const parseAddresses = (to: string | undefined): string[] =>
  (to ?? '')
    .split(/[;,]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Failures of which the server is known not to have taken the mail. */
const BEFORE_IT: ReadonlySet<string | undefined> = new Set([
  'EAUTH',
  'ETLS',
  'EENVELOPE',
  'EDNS',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Sends a mail with a text and an HTML part, within `seconds` for each address. Its `Message-ID` is the message's: the same mail twice is one for its reader. Never throws. */
export async function sendMail(
  { id, title, text, settings, password, taken: before = [] }: Mail,
  seconds: number,
  signal: AbortSignal,
): Promise<SendResult> {
  const {
    host = 'localhost',
    security = 'starttls',
    user,
    from = 'yardmaster@localhost',
    verifyTls = true,
    singleEmail = true,
  } = settings;
  const to = parseAddresses(settings.to);
  const refused = refusedHost(host);
  if (refused !== null) return { ok: false, status: null, answer: refused, retry: false };
  const taken = [...before];
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
        if (addresses.every((address) => before.includes(address))) continue;
        // A server that answers a little again and again is never silent: it has so long for all of it.
        const within = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
        const sent = await transport.sendMail({
          from,
          to: addresses,
          subject: title,
          text,
          html,
          messageId: `<${id}${rounds.length > 1 ? `.${i}` : ''}@yardmaster>`,
          headers: { 'X-Yardmaster-Message': id },
          signal: within,
        });
        if (!singleEmail) taken.push(...addresses);
        answers.push(
          sent.rejected.length === 0 ? sent.response : `${sent.response} (rejected for ${sent.rejected.join(', ')})`,
        );
      }
      return {
        ok: true,
        status: Number(/^\d{3}/.exec(answers[0] ?? '')?.[0] ?? 250),
        answer: answers.join('\n'),
        retry: false,
      };
    } finally {
      transport.close();
    }
  } catch (error) {
    return { ...failedSend(error, seconds, signal), taken };
  }
}

function failedSend(error: unknown, seconds: number, signal: AbortSignal): SendResult {
  const { responseCode, code, syscall, message, name } = error as Error & {
    responseCode?: number;
    code?: string;
    syscall?: string;
  };
  const answer =
    name === 'AbortError' || name === 'TimeoutError'
      ? signal.aborted
        ? 'the master is shutting down'
        : `the mail server did not accept the message within ${seconds} s`
      : message;
  // 4xx asks to come again, 5xx says never.
  return {
    ok: false,
    status: responseCode ?? null,
    answer,
    retry: responseCode === undefined ? code !== 'EENVELOPE' : responseCode < 500,
    maybe: responseCode === undefined && syscall !== 'connect' && !BEFORE_IT.has(code),
  };
}
