import { isRecord } from '../../../lib/is-record.ts';
import { itemAt } from '../../../lib/item-at.ts';
import { ORGANIZATION } from '../organization.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { formatTime, NS_PER_MS, parseTime, splitNs } from '../flux/values/time.ts';
import type { Bucket } from '../store/port.ts';
import { invalid, notFound, Refusal, sendJson, sendNothing } from './answer.ts';
import { readBody } from './body.ts';
import { bucketOf, checkOrganization } from './organization.ts';
import type { InfluxRequest } from './port.ts';
import { parsePredicate } from './predicate.ts';

/** Bytes of the bodies that these routes take. */
const BODY_BYTES = 64 * 1024;
/** The bucket that the master's own metrics are written to. */
export const MASTER_BUCKET = 'metrics';

const bucketForAudit = ({ name, retentionSeconds }: Bucket) => ({ name, retentionSeconds });

async function writeAudit(
  { asker, audit }: InfluxRequest,
  action: string,
  bucket: string,
  before: unknown,
  after: unknown,
): Promise<void> {
  if (asker) await audit(asker, { action, target: `bucket:${bucket}`, before, after });
}

const iso = (ms: number): string => formatTime(BigInt(Math.trunc(ms)) * NS_PER_MS);

async function jsonBody({ request, heldBytes }: InfluxRequest): Promise<Record<string, unknown>> {
  const { bytes, done } = await readBody(request, BODY_BYTES, heldBytes);
  done();
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw invalid(`invalid json: ${errorMessage(error)}`);
  }
  if (!isRecord(value)) throw invalid('expected a JSON object');
  return value;
}

const shown = ({ id, name, retentionSeconds, createdAt }: Bucket) => ({
  id,
  orgID: ORGANIZATION.id,
  type: 'user',
  name,
  retentionRules: retentionSeconds === 0 ? [] : [{ type: 'expire', everySeconds: retentionSeconds }],
  createdAt: iso(createdAt),
  updatedAt: iso(createdAt),
  labels: [],
  links: {
    self: `/api/v2/buckets/${id}`,
    org: `/api/v2/orgs/${ORGANIZATION.id}`,
    write: `/api/v2/write?org=${ORGANIZATION.id}&bucket=${id}`,
  },
});

/** `GET /api/v2/orgs`. */
export function organizations({ query, response }: InfluxRequest): void {
  checkOrganization(query, false);
  sendJson(response, 200, { links: { self: '/api/v2/orgs' }, orgs: [organization()] });
}

/** `GET /api/v2/orgs/{id}`. */
export function oneOrganization({ params, response }: InfluxRequest): void {
  if (params[0] !== ORGANIZATION.id) throw notFound('organization not found');
  sendJson(response, 200, organization());
}

const organization = () => ({
  ...ORGANIZATION,
  description: '',
  createdAt: iso(0),
  updatedAt: iso(0),
  links: { self: `/api/v2/orgs/${ORGANIZATION.id}`, buckets: `/api/v2/buckets?org=${ORGANIZATION.name}` },
});

/** `GET /api/v2/buckets`. */
export async function listBuckets({ query, response, store }: InfluxRequest): Promise<void> {
  checkOrganization(query, false);
  const whole = (name: string, fallback: number, most: number): number => {
    const text = query.get(name);
    if (text === null) return fallback;
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value > most) throw invalid(`${name}: expected a whole number from 0 to ${most}`);
    return value;
  };
  const [limit, offset, name, id] = [
    whole('limit', 20, 100),
    whole('offset', 0, 1_000_000),
    query.get('name'),
    query.get('id'),
  ];
  const found = (await store.buckets()).filter(
    (one) => (name === null || one.name === name) && (id === null || one.id === id),
  );
  if (name !== null && found.length === 0) throw notFound(`bucket ${JSON.stringify(name)} not found`);
  sendJson(response, 200, {
    links: { self: '/api/v2/buckets' },
    buckets: found.slice(offset, offset + limit).map(shown),
  });
}

/** `GET /api/v2/buckets/{id}`. */
export async function oneBucket({ params, response, store }: InfluxRequest): Promise<void> {
  sendJson(response, 200, shown(await bucketById(store, params[0])));
}

async function bucketById(store: InfluxRequest['store'], id: string | undefined): Promise<Bucket> {
  const found = (await store.buckets()).find((one) => one.id === id);
  if (!found) throw notFound('bucket not found');
  return found;
}

/** `POST /api/v2/buckets`. */
export async function createBucket(ask: InfluxRequest): Promise<void> {
  const { name, orgID, retentionRules } = await jsonBody(ask);
  if (orgID !== undefined && orgID !== ORGANIZATION.id) throw notFound('organization not found');
  if ((await ask.store.buckets()).some((one) => one.name === name))
    throw new Refusal(422, 'conflict', `bucket with name ${String(name)} already exists`);
  const made = await ask.store.createBucket(bucketName(name), retention(retentionRules) ?? 0);
  await writeAudit(ask, 'metrics.bucket.create', made.id, null, bucketForAudit(made));
  sendJson(ask.response, 201, shown(made));
}

/** `PATCH /api/v2/buckets/{id}`. */
export async function updateBucket(ask: InfluxRequest): Promise<void> {
  const { name, retentionRules } = await jsonBody(ask);
  const bucket = await bucketById(ask.store, ask.params[0]);
  if (name !== undefined && name !== bucket.name && bucket.name === MASTER_BUCKET)
    throw new Refusal(403, 'forbidden', `the bucket ${MASTER_BUCKET} cannot be renamed: the master writes to it`);
  const every = retention(retentionRules);
  const changed = await ask.store.updateBucket(bucket.id, {
    ...(name === undefined ? {} : { name: bucketName(name) }),
    ...(every === null ? {} : { retentionSeconds: every }),
  });
  await writeAudit(ask, 'metrics.bucket.update', bucket.id, bucketForAudit(bucket), bucketForAudit(changed));
  sendJson(ask.response, 200, shown(changed));
}

/** `DELETE /api/v2/buckets/{id}`. */
export async function deleteBucket(ask: InfluxRequest): Promise<void> {
  const { params, response, store } = ask;
  const bucket = await bucketById(store, params[0]);
  if (bucket.name === MASTER_BUCKET)
    throw new Refusal(403, 'forbidden', `the bucket ${MASTER_BUCKET} cannot be deleted: the master writes to it`);
  await store.deleteBucket(bucket.id);
  await writeAudit(ask, 'metrics.bucket.delete', bucket.id, bucketForAudit(bucket), null);
  sendNothing(response);
}

function bucketName(name: unknown): string {
  if (typeof name !== 'string' || name === '' || name.length > 255 || name.startsWith('_') || name.includes('"'))
    throw invalid('name: expected 1 to 255 characters, no quotes, and no underscore at the start');
  return name;
}

/** Seconds; null: not given. */
function retention(rules: unknown): number | null {
  if (rules === undefined || rules === null) return null;
  if (!Array.isArray(rules) || rules.length > 1) throw invalid('retentionRules: expected an array of at most one rule');
  if (rules.length === 0) return 0;
  const { type = 'expire', everySeconds } = itemAt(rules, 0);
  if (
    type !== 'expire' ||
    typeof everySeconds !== 'number' ||
    !Number.isSafeInteger(everySeconds) ||
    everySeconds < 0 ||
    (everySeconds > 0 && everySeconds < 3600)
  )
    throw invalid('retentionRules: expected {"type":"expire","everySeconds":n} with 0 for ever, else at least 3600');
  return everySeconds;
}

/** `POST /api/v2/delete`. */
export async function deletePoints(ask: InfluxRequest): Promise<void> {
  checkOrganization(ask.query, false);
  const bucket = await bucketOf(ask.store, ask.query);
  const { start, stop, predicate = '' } = await jsonBody(ask);
  const moment = (name: string, value: unknown): bigint => {
    const ns = typeof value === 'string' ? parseTime(value) : null;
    if (ns === null)
      throw invalid(
        `invalid RFC3339Nano for field ${name}, please format your time with RFC3339Nano format, example: 2009-01-02T23:00:00Z`,
      );
    return ns;
  };
  const from = splitNs(moment('start', start));
  const to = splitNs(moment('stop', stop));
  if (typeof predicate !== 'string') throw invalid('predicate: expected a string');
  await ask.store.delete(bucket.name, from.ms + (from.rest > 0 ? 1 : 0), to.ms, parsePredicate(predicate));
  await writeAudit(ask, 'metrics.delete', bucket.id, { bucket: bucket.name, start, stop, predicate }, null);
  sendNothing(ask.response);
}
