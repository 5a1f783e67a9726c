import { isUtf8 } from 'node:buffer';
import type { Limits } from '../../contract/limits.ts';
import type { WebhookDelivery, WebhookVerdict } from '../../contract/webhooks.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { parseStored } from '../../lib/json.ts';
import { MIN_REDACTED_CHARACTERS } from '../../contract/secret-names.ts';
import { createRedactor, type Redactor } from '../../lib/redact.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Cipher } from '../secrets/port.ts';
import type { ReadHandle, Store } from '../store/port.ts';
import { keptHeaders, shownQuery } from './kept-headers.ts';
import type { ActiveWebhook, HookRequest, Webhooks } from './port.ts';
import { sealedOf } from './rows.ts';

interface Row {
  id: string;
  webhook_id: string;
  at: number;
  refused: number;
  verdict: WebhookVerdict;
  status: number;
  code: string | null;
  reason: string | null;
  delivery_id: string | null;
  job_id: string | null;
  method: string;
  query: string;
  headers: string;
  address: string | null;
  size: number;
  key_id: string | null;
  nonce: Uint8Array | null;
  box: Uint8Array | null;
  replay_of: string | null;
}

const INSERT =
  'INSERT INTO webhook_delivery (id, webhook_id, at, refused, verdict, status, code, reason, delivery_id, job_id, method, query, headers, address, size, key_id, nonce, box, replay_of) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const TIDY =
  'DELETE FROM webhook_delivery WHERE webhook_id = ? AND refused = ? AND id IN (SELECT id FROM webhook_delivery WHERE webhook_id = ? AND refused = ? ORDER BY id DESC LIMIT -1 OFFSET ?)';
const COUNT = 'SELECT count(*) AS n FROM webhook_delivery WHERE webhook_id = ?';
const LIST = 'SELECT * FROM webhook_delivery WHERE webhook_id = ? ORDER BY id DESC LIMIT ? OFFSET ?';
const ONE = 'SELECT * FROM webhook_delivery WHERE webhook_id = ? AND id = ?';

/** Longer bodies are left out of lists, in bytes. */
const LISTED_BYTES = 4096;
const MAX_REASON = 2000;
const MAX_QUERY = 8192;
const MAX_DELIVERY_ID = 255;

/** The latest deliveries of each webhook. Bodies are encrypted, so that neither the file nor a backup tells what was in them. */
export function createDeliveries({
  store,
  clock,
  limits,
  cipher,
  redactor,
  secretsOf,
}: {
  store: Store;
  clock: Clock;
  limits: Readonly<Pick<Limits, 'webhookDeliveries' | 'webhookRefusals' | 'webhookKeptBytes'>>;
  cipher: Cipher;
  /** Takes the values of secrets out of what people are shown. */
  redactor(): Pick<Redactor, 'text'>;
  /** Of a webhook itself: a sender may repeat its key or password anywhere. */
  secretsOf(webhookId: string): readonly string[];
}): Webhooks['deliveries'] {
  function rowOf(read: ReadHandle, webhookId: string, id: string): Row {
    const row = read.query<Row>(ONE).get(webhookId, id);
    if (!row) throw new Fault('DELIVERY_NOT_FOUND', `delivery ${id.slice(0, 100)} not found; only the latest are kept`);
    return row;
  }

  /** Null: it was not kept, or cannot be read. */
  function bodyOf(row: Row): Buffer | null {
    const sealed = sealedOf(row);
    const text = sealed && cipher.decrypt(`delivery:${row.id}`, sealed);
    return text === null ? null : Buffer.from(text, 'base64');
  }

  function view(row: Row, longest: number): WebhookDelivery {
    const body = row.size <= longest ? bodyOf(row) : null;
    const isText = body !== null && isUtf8(body);
    const own = createRedactor(
      secretsOf(row.webhook_id).map((value) => ({ name: 'of this webhook', value })),
      MIN_REDACTED_CHARACTERS,
    );
    const known = redactor();
    const shown = { text: (text: string) => own.text(known.text(text)) };
    const headers = Object.fromEntries(
      Object.entries(parseStored<Record<string, string>>(row.headers)).map(([name, value]) => [
        name,
        shown.text(value),
      ]),
    );
    return {
      id: row.id,
      receivedAt: iso(row.at),
      verdict: row.verdict,
      status: row.status,
      code: row.code,
      reason: row.reason === null ? null : shown.text(row.reason),
      deliveryId: row.delivery_id,
      jobId: row.job_id,
      method: row.method,
      query: shown.text(shownQuery(row.query)),
      headers,
      contentType: headers['content-type'] ?? null,
      size: row.size,
      body: body === null ? null : isText ? shown.text(body.toString('utf8')) : body.toString('base64'),
      bodyEncoding: body === null ? null : isText ? 'utf8' : 'base64',
      address: row.address,
      replayOf: row.replay_of,
      replayable: row.refused === 0 && row.box !== null,
    };
  }

  return {
    list(webhookId, { page, size }) {
      const totalItems = store.read.query<{ n: number }>(COUNT).get(webhookId)?.n ?? 0;
      const rows = store.read.query<Row>(LIST).all(webhookId, size, page * size);
      return {
        items: rows.map((row) => view(row, LISTED_BYTES)),
        page,
        size,
        totalItems,
        totalPages: Math.ceil(totalItems / size),
      };
    },
    get: (webhookId, id) => view(rowOf(store.read, webhookId, id), Infinity),
    request(webhookId, id) {
      const row = rowOf(store.read, webhookId, id);
      if (row.refused === 1)
        throw new Fault('DELIVERY_NOT_KEPT', 'a delivery that was not verified cannot be replayed');
      const body = bodyOf(row);
      if (body === null)
        throw new Fault(
          'DELIVERY_NOT_KEPT',
          row.box === null
            ? `the body of ${row.size} bytes was not kept; the limit webhookKeptBytes is ${limits.webhookKeptBytes}`
            : 'the body cannot be decrypted: the master does not have its encryption key',
        );
      return {
        request: {
          method: row.method,
          query: row.query,
          headers: parseStored<Record<string, string>>(row.headers),
          body,
          address: row.address,
        },
        deliveryId: row.delivery_id,
      };
    },
    async note(webhook, request, outcome) {
      const delivery = prepare(webhook, request);
      await store.write((db) => delivery.write(db, outcome));
      return delivery.id;
    },
    prepare,
  };

  function prepare(
    webhook: ActiveWebhook,
    { method, query, headers, body, address }: HookRequest,
  ): ReturnType<Webhooks['deliveries']['prepare']> {
    const at = clock.now();
    const id = uuidv7(at);
    const kept = JSON.stringify(keptHeaders(headers, webhook.verification));
    return {
      id,
      write(db, { verdict, status, code, reason, deliveryId, jobId, replayOf }) {
        const refused = verdict === 'SIGNATURE_INVALID' || verdict === 'REPLAYED' ? 1 : 0;
        // What nobody vouches for is not kept: anybody could fill the disk with it.
        const sealed = refused === 0 && body.length <= limits.webhookKeptBytes ? seal(id, body) : null;
        db.statement(INSERT).run(
          ...[id, webhook.id, at, refused, verdict, status, code, reason?.slice(0, MAX_REASON) ?? null],
          ...[deliveryId?.slice(0, MAX_DELIVERY_ID) ?? null, jobId, method, query.slice(0, MAX_QUERY), kept, address],
          ...[body.length, sealed?.keyId ?? null, sealed?.nonce ?? null, sealed?.box ?? null, replayOf],
        );
        const most = refused === 1 ? limits.webhookRefusals : limits.webhookDeliveries;
        db.statement(TIDY).run(webhook.id, refused, webhook.id, refused, most);
      },
    };
  }

  /** Null: the master has no key, and a body is not kept in the clear. */
  function seal(id: string, body: Buffer) {
    try {
      return cipher.encrypt(`delivery:${id}`, body.toString('base64'));
    } catch {
      return null;
    }
  }
}
