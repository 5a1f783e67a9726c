import { createHmac } from 'node:crypto';
import { unreachable } from '../../../lib/fault.ts';
import { sendMail } from './mail.ts';
import {
  pagerdutyBody,
  slackBody,
  teamsBody,
  renderMessage,
  webhookBody,
  type Message,
  type Receiver,
} from './message.ts';
import { post, type SendResult } from './post.ts';

const PAGERDUTY = 'https://events.pagerduty.com/v2/enqueue';

/** A note for the screens of operators: the live stream carries it, consoles and the desktop app show it. */
export interface ScreenNotification {
  readonly id: string;
  readonly at: number;
  readonly status: 'firing' | 'resolved';
  readonly title: string;
  readonly message: string;
}

export interface SendDeps {
  /** Address of the console, for links. */
  url(): string;
  /** Seconds that a receiver may take. */
  readonly seconds: () => number;
  show(note: ScreenNotification): void;
}

/** Hands a message to its channel, once; not to those of its addresses that have `taken` it. Never throws. */
export async function send(
  message: Message,
  receiver: Receiver,
  secrets: Readonly<Record<string, string>>,
  { url: console, seconds, show }: SendDeps,
  signal: AbortSignal,
  taken: readonly string[] = [],
): Promise<SendResult> {
  const url = console();
  const json = (to: string | undefined, body: object, headers: Record<string, string> = {}) =>
    to === undefined
      ? Promise.resolve({ ok: false, status: null, answer: 'the channel has no URL', retry: false })
      : post(to, JSON.stringify(body), headers, seconds(), signal);
  const { kind, settings } = receiver;
  switch (kind) {
    case 'email': {
      const { title, text } = renderMessage(message, receiver, url);
      return sendMail(
        { id: message.id, title, text, settings, password: secrets['password'] ?? null, taken },
        seconds(),
        signal,
      );
    }
    case 'slack':
      return json(secrets['url'], slackBody(message, receiver, url));
    case 'teams':
      return json(secrets['url'], teamsBody(message, receiver, url));
    case 'pagerduty':
      return json(settings.url ?? PAGERDUTY, pagerdutyBody(message, receiver, url, secrets['routingKey'] ?? ''));
    case 'webhook': {
      const body = webhookBody(message, receiver, url);
      const text = JSON.stringify(body);
      return json(settings.url, body, {
        ...settings.headers,
        'idempotency-key': message.id,
        ...authorization(settings.user, secrets),
        ...(secrets['hmac'] === undefined
          ? {}
          : { 'x-yardmaster-signature': `sha256=${createHmac('sha256', secrets['hmac']).update(text).digest('hex')}` }),
      });
    }
    case 'desktop': {
      const { title, text } = renderMessage(message, receiver, url);
      show({ id: message.id, at: message.at, status: message.status, title, message: text });
      return { ok: true, status: null, answer: 'shown in the consoles of operators', retry: false };
    }
    default:
      return unreachable(kind);
  }
}

function authorization(user: string | undefined, secrets: Readonly<Record<string, string>>): Record<string, string> {
  if (secrets['bearer'] !== undefined) return { authorization: `Bearer ${secrets['bearer']}` };
  return user === undefined
    ? {}
    : { authorization: `Basic ${Buffer.from(`${user}:${secrets['password'] ?? ''}`).toString('base64')}` };
}
