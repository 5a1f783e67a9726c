import { randomBytes } from 'node:crypto';
import type { Limits } from '../../contract/limits.ts';
import { HMAC_SCHEMES } from '../../contract/webhook-presets.ts';
import type { WebhookChange, WebhookDraft } from '../../contract/webhooks.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault, invalidAt } from '../../lib/fault.ts';
import { parseStored } from '../../lib/json.ts';
import { paginate } from '../../lib/page.ts';
import type { Redactor } from '../../lib/redact.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Access } from '../access/port.ts';
import type { Cipher } from '../secrets/port.ts';
import type { ReadHandle, Store } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import { checkVerifySettings, makeSecret, randomPath } from './verify-settings.ts';
import { createClaims } from './claims.ts';
import { createCounts } from './counts.ts';
import { createDeliveries } from './deliveries.ts';
import type { ActiveWebhook, WebhookView, Webhooks } from './port.ts';
import { PUT_WEBHOOK, sealedOf, verifyOf, viewOf, webhookValues, type StoredSecrets, type WebhookRow } from './rows.ts';
import { verify, type Verification } from './verify.ts';

export interface WebhooksDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Readonly<Limits>;
  readonly cipher: Cipher;
  readonly record: Access['audit']['record'];
  /** Takes the values of secrets out of what people are shown. */
  redactor(): Pick<Redactor, 'text'>;
  /** Why an expression cannot be saved; null: it can. */
  expressionFault(source: string): string | null;
}

/** Nobody has its secret: against it is verified what comes to a path that is not there. */
const NOBODY: Verification = {
  type: 'hmac',
  preset: 'generic',
  scheme: HMAC_SCHEMES.generic,
  secrets: [randomBytes(32).toString('base64url')],
};

/** The webhooks room. All webhooks are in memory, by path: a delivery to an unknown one costs no look into the database. */
export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, clock, limits, cipher, record } = deps;
  const rows = new Map<string, WebhookRow>();
  const byPath = new Map<string, string>();
  for (const row of store.read.query<WebhookRow>('SELECT * FROM webhook ORDER BY id').all()) keep(row);

  function keep(row: WebhookRow): void {
    const before = rows.get(row.id);
    if (before) byPath.delete(before.path);
    rows.set(row.id, row);
    byPath.set(row.path, row.id);
  }

  const nameOf = (id: string) => `webhook:${id}`;

  /** Undefined: it has none; null: they cannot be read. */
  function secretsOf(row: WebhookRow): StoredSecrets | null | undefined {
    const sealed = sealedOf(row);
    if (sealed === null) return undefined;
    const text = cipher.decrypt(nameOf(row.id), sealed);
    return text === null ? null : parseStored<StoredSecrets>(text);
  }
  function seal(id: string, secrets: StoredSecrets): Pick<WebhookRow, 'key_id' | 'nonce' | 'box'> {
    const { keyId, nonce, box } = cipher.encrypt(nameOf(id), JSON.stringify(secrets));
    return { key_id: keyId, nonce, box };
  }
  const NO_SECRETS = { key_id: null, nonce: null, box: null };

  const view = (row: WebhookRow): WebhookView => viewOf(row, secretsOf(row), store.read, clock.now());

  function rowOf(id: string): WebhookRow {
    const row = rows.get(id);
    if (!row) throw new Fault('WEBHOOK_NOT_FOUND', `webhook ${id.slice(0, 100)} not found`);
    return row;
  }

  /** For the audit log: never a secret. */
  const noted = (row: WebhookRow) => ({
    workflowId: row.workflow_id,
    environment: row.environment,
    path: row.path,
    description: row.description,
    verify: verifyOf(row),
    keyId: row.key_id,
    deliveryIdHeader: row.delivery_id_header,
    replay: row.replay,
    filter: row.filter,
    mapping: row.mapping,
    response: row.response,
    responseMapping: row.response_mapping,
    perSecond: row.per_second,
    enabled: row.enabled === 1,
  });

  async function save(row: WebhookRow, action: string, actor: Actor, check?: (db: ReadHandle) => void): Promise<void> {
    await store.write(
      (db) => {
        check?.(db);
        const taken = db.query<{ id: string }>('SELECT id FROM webhook WHERE path = ?').get(row.path);
        if (taken && taken.id !== row.id)
          throw new Fault('WEBHOOK_PATH_TAKEN', `the path ${row.path} is already used: choose another one`, {
            errors: [{ pointer: '/path', message: 'is already used' }],
          });
        const before = db.query<WebhookRow>('SELECT * FROM webhook WHERE id = ?').get(row.id);
        if (!before && action !== 'webhook.create') throw new Fault('WEBHOOK_NOT_FOUND', `webhook ${row.id} not found`);
        db.statement(PUT_WEBHOOK).run(...webhookValues(row));
        record(db, actor, {
          action,
          target: `webhook:${row.id}`,
          before: before ? noted(before) : null,
          after: noted(row),
        });
      },
      () => keep(row),
    );
  }

  function checkExpressions(change: WebhookChange): void {
    for (const name of ['filter', 'mapping', 'responseMapping'] as const) {
      const source = change[name];
      const fault = typeof source === 'string' ? deps.expressionFault(source) : null;
      if (fault !== null) throw invalidAt(`/${name}`, `the ${name} is ${fault}`, `is ${fault}`);
    }
  }

  /** Settings of a draft or change over those of before. */
  function settingsIn(change: WebhookChange, before: WebhookRow | null) {
    checkExpressions(change);
    const or = <T>(value: T | undefined, other: T): T => (value === undefined ? other : value);
    return {
      description: or(change.description, before?.description ?? null),
      replay: or(change.replay, before?.replay ?? 'delivery'),
      filter: or(change.filter, before?.filter ?? null),
      mapping: or(change.mapping, before?.mapping ?? null),
      response: or(change.response, before?.response ?? 'accepted'),
      response_mapping: or(change.responseMapping, before?.response_mapping ?? null),
      per_second: or(change.perSecond, before?.per_second ?? null),
      enabled: or(change.enabled, before ? before.enabled === 1 : true) ? 1 : 0,
    };
  }

  const counts = createCounts(() => clock.now());
  const claims = createClaims({ read: store.read, limits, now: () => clock.now() });
  const deliveries = createDeliveries({
    ...{ store, clock, limits, cipher, redactor: deps.redactor },
    secretsOf(id) {
      const row = rows.get(id);
      const known = row && secretsOf(row);
      return known ? [known.now, ...(known.before ? [known.before.value] : [])] : [];
    },
  });

  function toActive(row: WebhookRow): ActiveWebhook {
    return {
      id: row.id,
      workflowId: row.workflow_id,
      environment: row.environment,
      verification: verificationOf(row),
      deliveryIdHeader: row.delivery_id_header,
      replay: row.replay,
      filter: row.filter,
      mapping: row.mapping,
      response: row.response,
      responseMapping: row.response_mapping,
      perSecond: row.per_second,
    };
  }

  function verificationOf(row: WebhookRow): Verification | null {
    const how = verifyOf(row);
    if (how.type === 'none') return how;
    const stored = secretsOf(row);
    if (!stored) return null;
    const before = stored.before && stored.before.until > clock.now() ? [stored.before.value] : [];
    const secrets = [stored.now, ...before];
    return how.type === 'hmac'
      ? { ...how, scheme: { ...how.scheme, deliveryIdHeader: row.delivery_id_header }, secrets }
      : { ...how, secrets };
  }

  return {
    list({ workflowId, environment, within = null, ...wanted }) {
      const allowed = within === null ? null : new Set(within);
      const found = [...rows.values()].filter(
        (row) =>
          (workflowId === undefined || row.workflow_id === workflowId) &&
          (environment === undefined || row.environment === environment) &&
          (allowed === null || allowed.has(row.workflow_id)),
      );
      return paginate(found, wanted, view);
    },
    get: (id) => view(rowOf(id)),
    async create(draft: WebhookDraft, actor) {
      const how = checkVerifySettings(draft.verify);
      const id = uuidv7();
      const now = clock.now();
      const secret = how.secret === null ? makeSecret(how.stored) : how.secret;
      const row: WebhookRow = {
        id,
        workflow_id: draft.workflowId,
        environment: draft.environment,
        path: draft.path ?? randomPath(),
        ...settingsIn(draft, null),
        verify: JSON.stringify(how.stored),
        ...(secret === undefined ? NO_SECRETS : seal(id, { now: secret, before: null })),
        delivery_id_header:
          draft.deliveryIdHeader === undefined ? how.deliveryIdHeader : lowerCase(draft.deliveryIdHeader),
        created_at: now,
        updated_at: now,
        updated_by: actor.name,
      };
      await save(row, 'webhook.create', actor, (db) => {
        const { n } = db.query<{ n: number }>('SELECT count(*) AS n FROM webhook').get() ?? { n: 0 };
        if (n >= limits.webhooks)
          throw new Fault(
            'VALIDATION_FAILED',
            `the maximum of ${limits.webhooks} webhooks is reached (limit webhooks): delete one first`,
          );
      });
      return { webhook: view(row), secret: how.secret === null ? (secret ?? null) : null };
    },
    async update(id, change, actor) {
      const before = rowOf(id);
      const how = change.verify ? checkVerifySettings(change.verify) : null;
      const kept = secretsOf(before);
      // Without a new one, the secret stays; a type that had none gets one made.
      const makes = how?.secret === null && !kept;
      const secret = how === null ? undefined : (how.secret ?? (makes ? makeSecret(how.stored) : undefined));
      const row: WebhookRow = {
        ...before,
        ...settingsIn(change, before),
        path: change.path ?? before.path,
        ...(how === null
          ? {}
          : {
              verify: JSON.stringify(how.stored),
              ...(how.secret === undefined
                ? NO_SECRETS
                : secret === undefined
                  ? {}
                  : seal(id, { now: secret, before: null })),
            }),
        delivery_id_header:
          change.deliveryIdHeader !== undefined
            ? lowerCase(change.deliveryIdHeader)
            : how !== null && before.delivery_id_header === presetHeader(before)
              ? how.deliveryIdHeader
              : before.delivery_id_header,
        updated_at: clock.now(),
        updated_by: actor.name,
      };
      await save(row, 'webhook.change', actor);
      return { webhook: view(row), secret: makes ? (secret ?? null) : null };
    },
    async rotate(id, { secret: given, overlapSeconds = 0 }, actor) {
      const before = rowOf(id);
      const how = verifyOf(before);
      if (how.type === 'none')
        throw new Fault('VALIDATION_FAILED', 'this webhook verifies nothing, so it has no secret to replace');
      if (given !== undefined && how.type === 'hmac')
        checkVerifySettings({ type: 'hmac', preset: how.preset, secret: given });
      const now = clock.now();
      const old = secretsOf(before);
      const secret = given ?? makeSecret(how);
      const overlap = old && overlapSeconds > 0 ? { value: old.now, until: now + overlapSeconds * 1000 } : null;
      const row: WebhookRow = {
        ...before,
        ...seal(id, { now: secret, before: overlap }),
        updated_at: now,
        updated_by: actor.name,
      };
      await save(row, 'webhook.rotate', actor);
      return { webhook: view(row), secret: given === undefined ? secret : null };
    },
    async remove(id, actor) {
      const row = rowOf(id);
      await store.write(
        (db) => {
          db.statement('DELETE FROM webhook_delivery WHERE webhook_id = ?').run(id);
          db.statement('DELETE FROM webhook_claim WHERE webhook_id = ?').run(id);
          db.statement('DELETE FROM webhook WHERE id = ?').run(id);
          record(db, actor, { action: 'webhook.delete', target: `webhook:${id}`, before: noted(row), after: null });
        },
        () => {
          rows.delete(id);
          byPath.delete(row.path);
          counts.remove(id);
        },
      );
    },
    at(path) {
      const row = rows.get(byPath.get(path) ?? '');
      return row && row.enabled === 1 ? toActive(row) : null;
    },
    active: (id) => toActive(rowOf(id)),
    verify: (webhook, request) => verify(webhook?.verification ?? NOBODY, request, clock.now()),
    deliveries: {
      ...deliveries,
      list: (id, query) => deliveries.list(rowOf(id).id, query),
    },
    claims,
    counts,
  };
}

const lowerCase = (name: string | null): string | null => name?.toLowerCase() ?? null;

const presetHeader = (row: WebhookRow): string | null => {
  const how = verifyOf(row);
  return HMAC_SCHEMES[how.type === 'hmac' ? how.preset : 'generic'].deliveryIdHeader;
};
