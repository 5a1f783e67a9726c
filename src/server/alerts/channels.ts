import { parseStored } from '../../lib/json.ts';
import type { Channel, ChannelDraft, ChannelPatch } from '../../contract/alert-channels.ts';
import type { Limits } from '../../contract/limits.ts';
import { CHANNEL_SECRETS, DEFAULT_MESSAGE, DEFAULT_TITLE, type ChannelKind } from '../../contract/vocabulary.ts';
import { iso, isoOrNull, type Clock } from '../../lib/clock.ts';
import { Fault, invalidAt } from '../../lib/fault.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Access } from '../access/port.ts';
import type { Cipher } from '../secrets/port.ts';
import type { Store, WriteHandle } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import { paginate } from '../../lib/page.ts';
import { DESKTOP_CHANNEL } from './built-in.ts';
import { parseAddresses } from './notify/mail.ts';
import { MESSAGE_RECORDS, MESSAGE_VALUES, renderMessage, type Message, type Receiver } from './notify/message.ts';
import { refusedHost } from './notify/post.ts';
import { checkTemplate } from './template.ts';

type Config = Pick<LoadedChannel, 'enabled' | 'sendResolved' | 'title' | 'message' | 'settings'>;
interface Row {
  id: string;
  name: string;
  kind: ChannelKind;
  config: string;
  secret_names: string;
  key_id: string | null;
  nonce: Uint8Array | null;
  box: Uint8Array | null;
  updated_at: number;
  updated_by: string;
}

/** A channel in memory. `secrets` null: they cannot be read. */
export interface LoadedChannel extends Receiver {
  readonly id: string;
  readonly enabled: boolean;
  readonly sendResolved: boolean;
  readonly secretNames: readonly string[];
  readonly secrets: Readonly<Record<string, string>> | null;
  readonly builtIn: boolean;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

export interface ChannelsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Readonly<Pick<Limits, 'alertChannels'>>;
  readonly record: Access['audit']['record'];
  readonly cipher: Cipher;
  log(line: string): void;
  /** What the dispatcher knows of a channel. */
  deliveryStatus(id: string): { lastSentAt: number | null; lastError: string | null; waiting: number };
  /** Throws where the policy sends alerts there. */
  mayRemove(id: string): void;
}

const blank = (id: string, name: string, kind: ChannelKind, updatedAt: number, updatedBy: string): LoadedChannel => ({
  id,
  name,
  kind,
  enabled: true,
  sendResolved: true,
  title: null,
  message: null,
  settings: {},
  secretNames: [],
  secrets: {},
  builtIn: id === DESKTOP_CHANNEL,
  updatedAt,
  updatedBy,
});
const desktop = (at: number) => blank(DESKTOP_CHANNEL, 'Desktop', 'desktop', at, 'yardmaster');
const configOf = ({ enabled, sendResolved, title, message, settings }: LoadedChannel): Config => ({
  enabled,
  sendResolved,
  title,
  message,
  settings,
});
const cipherName = (id: string) => `alert-channel:${id}`;

/** Where messages go. Their secrets are encrypted under the key of the secrets and never shown again. */
export async function createChannels({
  store,
  clock,
  limits,
  record,
  cipher,
  log,
  deliveryStatus,
  mayRemove,
}: ChannelsDeps) {
  const held = new Map<string, LoadedChannel>([[DESKTOP_CHANNEL, desktop(clock.now())]]);
  const rows = store.read.query<Row>('SELECT * FROM alert_channel ORDER BY name').all();
  for (const row of rows) held.set(row.id, fromRow(row));
  await sealAnew();

  function fromRow(row: Row): LoadedChannel {
    const text =
      row.key_id === null || row.nonce === null || row.box === null
        ? '{}'
        : cipher.decrypt(cipherName(row.id), { keyId: row.key_id, nonce: row.nonce, box: row.box });
    if (text === null)
      log(
        `alerts: the secrets of channel ${row.name} cannot be decrypted: restore the encryption key (docs/secrets.md), or set the secrets again`,
      );
    return {
      id: row.id,
      name: row.name,
      kind: row.kind,
      ...parseStored<Config>(row.config),
      secretNames: parseStored<string[]>(row.secret_names),
      secrets: text === null ? null : parseStored<Record<string, string>>(text),
      builtIn: row.id === DESKTOP_CHANNEL,
      updatedAt: row.updated_at,
      updatedBy: row.updated_by,
    };
  }

  /** What another key than the first one holds is brought under the first. */
  async function sealAnew(): Promise<void> {
    const old = rows.flatMap(({ id, key_id }) => {
      const channel = held.get(id);
      return key_id !== null && cipher.currentKeyId !== null && key_id !== cipher.currentKeyId && channel?.secrets
        ? [channel]
        : [];
    });
    if (old.length > 0) await store.write((db) => old.forEach((channel) => save(db, channel)));
  }

  function save(db: WriteHandle, channel: LoadedChannel): void {
    const { id, name, kind, secretNames, secrets, updatedAt, updatedBy } = channel;
    const config = JSON.stringify(configOf(channel));
    const sealed =
      secrets === null || secretNames.length === 0 ? null : cipher.encrypt(cipherName(id), JSON.stringify(secrets));
    // Secrets that cannot be read stay as they are: their key may come back.
    if (secrets === null)
      db.statement('UPDATE alert_channel SET name = ?, config = ?, updated_at = ?, updated_by = ? WHERE id = ?').run(
        name,
        config,
        updatedAt,
        updatedBy,
        id,
      );
    else
      db.statement(
        'INSERT OR REPLACE INTO alert_channel (id, name, kind, config, secret_names, key_id, nonce, box, updated_at, updated_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ).run(
        id,
        name,
        kind,
        config,
        JSON.stringify(secretNames),
        sealed?.keyId ?? null,
        sealed?.nonce ?? null,
        sealed?.box ?? null,
        updatedAt,
        updatedBy,
      );
  }

  const find = (id: string): LoadedChannel => {
    const channel = held.get(id);
    if (!channel)
      throw new Fault(
        'CHANNEL_NOT_FOUND',
        `alert channel ${id} not found: GET /api/v1/alerts/channels lists all channels`,
      );
    return channel;
  };
  const view = (channel: LoadedChannel): Channel => {
    const { id, name, kind, secretNames, secrets, builtIn, updatedAt, updatedBy } = channel;
    const { lastSentAt, lastError, waiting } = deliveryStatus(id);
    return {
      id,
      name,
      kind,
      ...configOf(channel),
      secretsSet: [...secretNames],
      readable: secrets !== null,
      builtIn,
      updatedAt: iso(updatedAt),
      updatedBy,
      lastSentAt: isoOrNull(lastSentAt),
      lastError,
      waiting,
    };
  };
  /** For the audit log: never a secret. */
  const noted = (channel: LoadedChannel) => ({
    name: channel.name,
    kind: channel.kind,
    ...configOf(channel),
    secretsSet: channel.secretNames,
  });

  /** The channel with a change, checked. */
  function changed(old: LoadedChannel, { secrets: given = {}, ...patch }: ChannelPatch, actor: Actor): LoadedChannel {
    const known = CHANNEL_SECRETS[old.kind];
    for (const name of Object.keys(given))
      if (!known.includes(name))
        throw invalidAt(
          `/secrets/${name}`,
          known.length === 0
            ? `a channel of kind ${old.kind} takes no secrets`
            : `a channel of kind ${old.kind} takes these secrets: ${known.join(', ')}`,
        );
    const secrets = { ...old.secrets };
    for (const [name, value] of Object.entries(given)) {
      if (value === null) delete secrets[name];
      else secrets[name] = value;
    }
    const unread = old.secrets === null && Object.keys(given).length === 0;
    const next: LoadedChannel = {
      ...old,
      ...patch,
      secrets: unread ? null : secrets,
      secretNames: unread ? old.secretNames : Object.keys(secrets),
      updatedAt: clock.now(),
      updatedBy: actor.name,
    };
    for (const other of held.values())
      if (other.name === next.name && other.id !== next.id)
        throw new Fault('ALERT_NAME_TAKEN', `channel "${next.name}" already exists: choose another name`);
    if (next.title !== null) checkTemplate(next.title, '/title', MESSAGE_VALUES, MESSAGE_RECORDS);
    if (next.message !== null) checkTemplate(next.message, '/message', MESSAGE_VALUES, MESSAGE_RECORDS);
    checkSettings(next);
    return next;
  }

  async function put(before: LoadedChannel | null, after: LoadedChannel, actor: Actor): Promise<Channel> {
    await store.write((db) => {
      save(db, after);
      record(db, actor, {
        action: before ? 'alert-channel.change' : 'alert-channel.create',
        target: `alert-channel:${after.id}`,
        before: before && noted(before),
        after: noted(after),
      });
    });
    held.set(after.id, after);
    return view(after);
  }

  return {
    held,
    find,
    api: {
      list(query: { page: number; size: number }) {
        const all = [...held.values()];
        all.sort((a, b) => Number(b.builtIn) - Number(a.builtIn) || a.name.localeCompare(b.name));
        return paginate(all, query, view);
      },
      get: (id: string) => view(find(id)),
      async create({ name, kind, ...rest }: ChannelDraft, actor: Actor) {
        if (held.size >= limits.alertChannels)
          throw invalidAt(
            '/name',
            `the maximum of ${held.size} channels is reached (limit alertChannels): delete one first`,
          );
        const now = clock.now();
        const made = blank(uuidv7(now), name, kind, now, actor.name);
        return put(null, changed(made, { name, ...rest }, actor), actor);
      },
      async update(id: string, patch: ChannelPatch, actor: Actor) {
        const before = find(id);
        return put(before, changed(before, patch, actor), actor);
      },
      async remove(id: string, actor: Actor) {
        const before = find(id);
        if (before.builtIn)
          throw new Fault('ALERT_BUILT_IN', 'the desktop channel is built in: disable it instead (enabled: false)');
        mayRemove(id);
        await store.write((db) => {
          db.statement('DELETE FROM alert_channel WHERE id = ?').run(id);
          record(db, actor, {
            action: 'alert-channel.delete',
            target: `alert-channel:${id}`,
            before: noted(before),
            after: null,
          });
        });
        held.delete(id);
      },
    },
  };
}

/** What a channel of its kind cannot do without. */
function checkSettings({ kind, settings, secrets, secretNames }: LoadedChannel): void {
  const need = (good: boolean, pointer: string, message: string) => {
    if (!good) throw invalidAt(pointer, message);
  };
  const address = (url: string | undefined, pointer: string) => {
    const parsed = URL.parse(url ?? '');
    need(parsed !== null && /^https?:$/.test(parsed.protocol), pointer, 'must be an http or https URL');
    // Whoever sees channels sees their addresses.
    need(
      parsed?.username === '' && parsed.password === '',
      pointer,
      'must not contain a user name or password: use settings.user and secrets.password',
    );
    const refused = parsed && refusedHost(parsed.hostname);
    need(!refused, pointer, String(refused));
  };
  if (kind === 'email') {
    const to = parseAddresses(settings.to);
    need(
      to.length > 0 && to.every((one) => /^[^\s@<>]+@[^\s@<>]+$/.test(one)),
      '/settings/to',
      'needs at least one email address; separate several with semicolons',
    );
    need(settings.host !== undefined, '/settings/host', 'needs the host name or address of an SMTP server');
    const refused = refusedHost(settings.host ?? '');
    need(refused === null, '/settings/host', String(refused));
  }
  if ((kind === 'slack' || kind === 'teams') && secrets !== null) {
    need(secretNames.includes('url'), '/secrets/url', 'needs the URL of the incoming webhook');
    address(secrets['url'], '/secrets/url');
  }
  if (kind === 'pagerduty')
    need(
      secretNames.includes('routingKey'),
      '/secrets/routingKey',
      'needs the integration key (routing key) of an Events API v2 integration',
    );
  if (kind === 'webhook' || (kind === 'pagerduty' && settings.url !== undefined))
    address(settings.url, '/settings/url');
}

/** A message to try a channel or a template with. */
export const exampleMessage = (id: string, channelId: string, at: number): Message => ({
  id,
  groupKey: `{}:{alertname="Test", channel="${channelId}"}`,
  channelId,
  groupLabels: { alertname: 'Test' },
  status: 'firing',
  alerts: [
    {
      fingerprint: '0000000000000000',
      labels: { alertname: 'Test', severity: 'info', workflow_id: 'example' },
      annotations: {
        summary: 'Test notification',
        description: 'No action needed: someone sent a test notification from the channel settings.',
      },
      startsAt: at,
      endsAt: null,
      value: 42,
      ruleId: 'test',
    },
  ],
  firing: 1,
  resolved: 0,
  at,
});

/** Templates filled in for an example; a bad one is VALIDATION_FAILED. */
export function previewTemplate(
  { title, message }: { title?: string; message?: string },
  at: number,
  url: string,
): { title: string; message: string } {
  checkTemplate(title ?? DEFAULT_TITLE, '/title', MESSAGE_VALUES, MESSAGE_RECORDS);
  checkTemplate(message ?? DEFAULT_MESSAGE, '/message', MESSAGE_VALUES, MESSAGE_RECORDS);
  const shown = renderMessage(
    exampleMessage('preview', 'preview', at),
    { name: 'Preview', kind: 'webhook', title: title ?? null, message: message ?? null, settings: {} },
    url,
  );
  return { title: shown.title, message: shown.text };
}
