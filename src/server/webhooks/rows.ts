import { parseStored } from '../../lib/json.ts';
import { iso } from '../../lib/clock.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import type { WebhookVerdict, WEBHOOK_REPLAY_CHECKS, WEBHOOK_RESPONSES } from '../../contract/webhooks.ts';
import type { HmacPreset, HmacScheme } from '../../contract/webhook-presets.ts';
import type { Ciphertext } from '../secrets/port.ts';
import type { ReadHandle } from '../store/port.ts';
import type { WebhookView } from './port.ts';

export interface WebhookRow {
  id: string;
  workflow_id: string;
  environment: Environment;
  path: string;
  description: string | null;
  verify: string;
  key_id: string | null;
  nonce: Uint8Array | null;
  box: Uint8Array | null;
  delivery_id_header: string | null;
  replay: (typeof WEBHOOK_REPLAY_CHECKS)[number];
  filter: string | null;
  mapping: string | null;
  response: (typeof WEBHOOK_RESPONSES)[number];
  response_mapping: string | null;
  per_second: number | null;
  enabled: number;
  created_at: number;
  updated_at: number;
  updated_by: string;
}

/** The column `verify`. */
export type StoredVerify =
  | { readonly type: 'none' }
  | { readonly type: 'hmac'; readonly preset: HmacPreset; readonly scheme: Omit<HmacScheme, 'deliveryIdHeader'> }
  | { readonly type: 'key'; readonly header: string }
  | { readonly type: 'basic'; readonly username: string };

/** What its box holds. */
export interface StoredSecrets {
  readonly now: string;
  readonly before: { readonly value: string; readonly until: number } | null;
}

export const sealedOf = (row: Pick<WebhookRow, 'key_id' | 'nonce' | 'box'>): Ciphertext | null =>
  row.key_id === null || row.nonce === null || row.box === null
    ? null
    : { keyId: row.key_id, nonce: row.nonce, box: row.box };

export const verifyOf = ({ verify }: Pick<WebhookRow, 'verify'>): StoredVerify => parseStored<StoredVerify>(verify);

const COLUMNS = [
  'id',
  'workflow_id',
  'environment',
  'path',
  'description',
  'verify',
  'key_id',
  'nonce',
  'box',
  'delivery_id_header',
  'replay',
  'filter',
  'mapping',
  'response',
  'response_mapping',
  'per_second',
  'enabled',
  'created_at',
  'updated_at',
  'updated_by',
] as const satisfies readonly (keyof WebhookRow)[];

export const PUT_WEBHOOK = `INSERT INTO webhook (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')}) ON CONFLICT (id) DO UPDATE SET ${COLUMNS.slice(
  3,
)
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')}`;

export const webhookValues = (row: WebhookRow) => COLUMNS.map((column) => row[column]);

const LAST = 'SELECT at, verdict FROM webhook_delivery WHERE webhook_id = ? ORDER BY id DESC LIMIT 1';

/** `secrets`: what its box holds; null: it cannot be read; undefined: it has none. */
export function viewOf(
  row: WebhookRow,
  secrets: StoredSecrets | null | undefined,
  read: ReadHandle,
  now: number,
): WebhookView {
  const verify = verifyOf(row);
  const last = read.query<{ at: number; verdict: WebhookVerdict }>(LAST).get(row.id);
  const before = secrets?.before ?? null;
  const rest =
    verify.type === 'hmac'
      ? { preset: verify.preset, ...verify.scheme }
      : verify.type === 'key'
        ? { header: verify.header }
        : verify.type === 'basic'
          ? { username: verify.username }
          : {};
  return {
    id: row.id,
    path: row.path,
    workflowId: row.workflow_id,
    environment: row.environment,
    description: row.description,
    verify: { type: verify.type, ...rest, previousUntil: before && before.until > now ? iso(before.until) : null },
    readable: secrets !== null,
    deliveryIdHeader: row.delivery_id_header,
    replay: row.replay,
    filter: row.filter,
    mapping: row.mapping,
    response: row.response,
    responseMapping: row.response_mapping,
    perSecond: row.per_second,
    enabled: row.enabled === 1,
    lastDelivery: last ? { receivedAt: iso(last.at), verdict: last.verdict } : null,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    updatedBy: row.updated_by,
  };
}
