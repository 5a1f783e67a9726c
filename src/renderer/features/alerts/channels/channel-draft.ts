import type {
  Channel,
  ChannelDraft,
  ChannelSettings,
  Policy,
  PolicyRoute,
} from '../../../../contract/alert-channels.ts';
import { CHANNEL_SECRETS, type ChannelKind } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';

/** One field of the form of a kind of channel. */
export interface ChannelField {
  name: string;
  label: string;
  secret?: true;
  needed?: true;
  description?: string;
}

export const KIND_WORDS: Readonly<Record<ChannelKind, string>> = {
  email: t('Email'),
  slack: t('Chat (Slack)'),
  teams: t('Chat (Teams)'),
  pagerduty: t('Paging (PagerDuty)'),
  webhook: t('Webhook'),
  desktop: t('Desktop'),
};

const FIELDS: Readonly<Record<ChannelKind, readonly ChannelField[]>> = {
  email: [
    { name: 'to', label: t('To'), needed: true, description: t('Email addresses, separated by semicolons') },
    { name: 'from', label: t('From') },
    { name: 'host', label: t('SMTP server'), needed: true },
    { name: 'port', label: t('Port'), description: t('587, or 465 for TLS') },
    { name: 'user', label: t('User') },
    { name: 'password', label: t('Password'), secret: true },
  ],
  slack: [
    {
      name: 'url',
      label: t('Webhook URL'),
      secret: true,
      needed: true,
      description: t('Stored encrypted: anyone who has this URL can post there'),
    },
    { name: 'channel', label: t('Channel'), description: t("Leave empty to use the webhook's channel") },
    { name: 'username', label: t('Sender name') },
  ],
  teams: [
    {
      name: 'url',
      label: t('Workflow URL'),
      secret: true,
      needed: true,
      description: t('Stored encrypted: anyone who has this URL can post there'),
    },
  ],
  pagerduty: [
    {
      name: 'routingKey',
      label: t('Integration key'),
      secret: true,
      needed: true,
      description: t('From an Events API v2 integration'),
    },
    { name: 'url', label: t('URL'), description: t("Leave empty for PagerDuty's own endpoint") },
  ],
  webhook: [
    { name: 'url', label: t('URL'), needed: true },
    { name: 'bearer', label: t('Bearer token'), secret: true },
    { name: 'user', label: t('User'), description: t('Used with the password if no token is set') },
    { name: 'password', label: t('Password'), secret: true },
    {
      name: 'hmac',
      label: t('Signing secret'),
      secret: true,
      description: t('Sends X-Yardmaster-Signature: sha256=<HMAC of the body>'),
    },
  ],
  desktop: [],
};
export const fieldsOfKind = (kind: ChannelKind): readonly ChannelField[] => FIELDS[kind];

export interface ChannelFields {
  name: string;
  kind: ChannelKind;
  values: Record<string, string>;
  security: NonNullable<ChannelSettings['security']>;
  verifyTls: boolean;
  sendResolved: boolean;
  title: string;
  message: string;
}

export function fieldsFromChannel(channel: Channel | null): ChannelFields {
  const settings = channel?.settings ?? {};
  const values = Object.fromEntries(
    Object.entries(settings)
      .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
      .map(([name, value]) => [name, String(value)]),
  );
  return {
    name: channel?.name ?? '',
    kind: channel?.kind ?? 'email',
    values,
    security: settings.security ?? 'starttls',
    verifyTls: settings.verifyTls ?? true,
    sendResolved: channel?.sendResolved ?? true,
    title: channel?.title ?? '',
    message: channel?.message ?? '',
  };
}

/** Names of fields that lack what they need. A secret that is set already may stay empty. */
export const missingIn = ({ name, kind, values }: ChannelFields, channel: Channel | null): string[] => [
  ...(name.trim() === '' ? ['name'] : []),
  ...FIELDS[kind]
    .filter(
      (field) =>
        field.needed &&
        (values[field.name] ?? '').trim() === '' &&
        !(field.secret && channel?.secretsSet.includes(field.name)),
    )
    .map((field) => field.name),
];

/** What is wrong with a field that holds something, in words that say what is expected; null: nothing that can be seen here. */
export function faultIn(name: string, { kind, values }: Pick<ChannelFields, 'kind' | 'values'>): string | null {
  const text = (values[name] ?? '').trim();
  if (text === '') return null;
  if (name === 'url')
    return /^https?:\/\/[^\s/]+/.test(text) && URL.canParse(text)
      ? null
      : t('Expected a URL such as https://host/path.');
  if (name === 'port')
    return /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536
      ? null
      : t('Expected a number from 1 to 65535.');
  if (kind === 'email' && (name === 'to' || name === 'from')) {
    const addresses = text
      .split(/[;,]/)
      .map((one) => one.trim())
      .filter((one) => one !== '');
    const bad = addresses.find((one) => !/^(?:[^<>]*<)?[^\s@<>]+@[^\s@<>]+>?$/.test(one));
    return bad === undefined ? null : t('“{bad}” is not an email address.', { bad });
  }
  return null;
}

/** The fields as the API takes them: secrets that were left empty stay as they are. */
export function channelFromFields(
  { name, kind, values, security, verifyTls, sendResolved, title, message }: ChannelFields,
  channel: Channel | null,
): ChannelDraft {
  const given = FIELDS[kind].filter((field) => (values[field.name] ?? '').trim() !== '');
  const settings: Record<string, unknown> = {
    ...(channel?.settings.headers ? { headers: channel.settings.headers } : {}),
  };
  const secrets: Record<string, string> = {};
  for (const field of given) {
    const value = (values[field.name] ?? '').trim();
    if (field.secret && CHANNEL_SECRETS[kind].includes(field.name)) secrets[field.name] = value;
    else settings[field.name] = field.name === 'port' ? Number(value) : value;
  }
  if (kind === 'email') Object.assign(settings, { security, verifyTls });
  return {
    name: name.trim(),
    kind,
    settings: settings as ChannelSettings,
    sendResolved,
    title: title.trim() === '' ? null : title,
    message: message.trim() === '' ? null : message,
    ...(Object.keys(secrets).length > 0 ? { secrets } : {}),
  };
}

/** Ids of the channels that a policy sends anything to. */
export function channelsIn(policy: Pick<Policy, 'channels' | 'routes'>): ReadonlySet<string> {
  const walk = (routes: readonly PolicyRoute[]): string[] =>
    routes.flatMap(({ channels = [], routes: inner = [] }) => [...channels, ...walk(inner)]);
  return new Set([...policy.channels, ...walk(policy.routes)]);
}
