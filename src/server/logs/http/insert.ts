import type { IncomingMessage, ServerResponse } from 'node:http';
import { BATCH_ID_HEADER, SKIPPED_HEADER } from '../batch-headers.ts';
import { recordBytes } from '../record-bytes.ts';
import type { SharedRoom } from '../../../lib/shared-room.ts';
import type { LogBatch } from '../store/port.ts';
import { Refusal, sendJson } from './answer.ts';
import { readBody, type HeldBytes } from './body.ts';
import type { Converter } from './converter.ts';
import { refuseRepeated } from './growth.ts';
import type { LogHttpOptions } from './port.ts';
import { flag } from './query-args.ts';

export interface InsertDeps {
  options: LogHttpOptions;
  room: HeldBytes;
  converter: Converter;
  /** For bodies of JSON lines, which the store reads as they are. */
  shared: SharedRoom;
  /** Fields that this sender may claim only. */
  claimedFields: readonly string[];
}
type Insert = (
  deps: InsertDeps,
  request: IncomingMessage,
  response: ServerResponse,
  args: URLSearchParams,
) => Promise<void>;

export const ELASTIC = { 'x-elastic-product': 'Elasticsearch' };
const BATCH_ID = /^[\x21-\x7e]{1,128}$/;

/** `/insert/jsonline`: one JSON object a line. */
export const insertJsonLines: Insert = async (deps, request, response, args) => {
  await withBody(deps, request, 'identity', deps.shared, async (bytes) => {
    const options = batchOptions(deps, request, args, { ndjson: bytes });
    if (flag(args, 'debug')) return void response.writeHead(200).end();
    const { stored, skipped } = await deps.options.store.insert({ id: batchId(request), ndjson: bytes, options });
    if (stored === 0 && skipped > 0)
      throw new Refusal(
        400,
        `none of the ${skipped} lines is a JSON object that can be stored: send one JSON object per line, at most ${recordBytes(deps.options.limits)} bytes each (limit logLineBytes, plus room for escapes)`,
      );
    response.writeHead(200, { 'content-length': 0, ...(skipped > 0 ? { [SKIPPED_HEADER]: skipped } : {}) }).end();
  });
};

/** `/insert/elasticsearch/_bulk`: pairs of lines. A bad document stops none of the others, and is answered with 400. */
export const insertBulk: Insert = async (deps, request, response, args) => {
  await withBody(deps, request, 'identity', undefined, async (bytes) => {
    const { ndjson, actions } = await deps.converter.bulk(bytes);
    const started = performance.now();
    if (actions.length > 0 && !flag(args, 'debug')) {
      const copy = Buffer.from(ndjson);
      const { skipped } = await deps.options.store.insert({
        id: batchId(request),
        ndjson,
        options: batchOptions(deps, request, args, { ndjson }),
      });
      if (skipped > 0) {
        const bad = await deps.converter.badDocument(copy);
        throw new Refusal(
          400,
          bad < 0
            ? `${skipped} of ${actions.length} documents cannot be stored: they have more than ${recordBytes(deps.options.limits)} bytes (limit logLineBytes, plus room for escapes) or more than ${deps.options.limits.logFields} fields; the others are stored`
            : `cannot parse the JSON document in line ${bad * 2 + 2}; ${actions.length - skipped} of ${actions.length} documents are stored`,
        );
      }
    }
    const items = Array.from(actions, (action) =>
      action === 'c' ? '{"create":{"status":201}}' : '{"index":{"status":201}}',
    ).join(',');
    sendJson(
      response,
      `{"took":${Math.round(performance.now() - started)},"errors":false,"items":[${items}]}`,
      200,
      ELASTIC,
    );
  });
};

/** `/insert/loki/api/v1/push`: JSON, or protobuf, which is packed with snappy where no header says otherwise. */
export const insertLoki: Insert = async (deps, request, response, args) => {
  const type = (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase();
  const form = type === 'application/json' ? 'json' : 'protobuf';
  await withBody(deps, request, form === 'json' ? 'identity' : 'snappy', undefined, async (bytes) => {
    const groups = await deps.converter.loki(
      bytes,
      form,
      flag(args, 'disable_message_parsing') || request.headers['vl-loki-disable-message-parsing'] !== undefined,
      deps.options.limits.logInsertBytes,
    );
    const id = batchId(request);
    if (!flag(args, 'debug'))
      for (const [i, { ndjson, streamFields }] of groups.entries())
        await deps.options.store.insert({
          id: id === null ? null : `${id}/${i}`,
          ndjson,
          options: batchOptions(deps, request, args, { ndjson, streamFields }),
        });
    response.writeHead(204).end();
  });
};

/** `/insert/opentelemetry/v1/logs`: a request of OTLP, in protobuf or JSON, answered as OTLP has it. */
export const insertOtlp: Insert = async (deps, request, response, args) => {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const form = type === 'application/json' ? 'json' : 'protobuf';
  await withBody(deps, request, 'identity', undefined, async (bytes) => {
    const groups = await deps.converter.otlp(bytes, form, deps.options.limits.logInsertBytes);
    const id = batchId(request);
    let refused = 0;
    if (!flag(args, 'debug'))
      for (const [i, { ndjson, streamFields }] of groups.entries()) {
        const { skipped } = await deps.options.store.insert({
          id: id === null ? null : `${id}/${i}`,
          ndjson,
          options: batchOptions(deps, request, args, { ndjson, streamFields }),
        });
        refused += skipped;
      }
    const headers = refused > 0 ? { [SKIPPED_HEADER]: String(refused) } : {};
    if (form === 'json')
      return sendJson(
        response,
        refused > 0 ? { partialSuccess: { rejectedLogRecords: String(refused), errorMessage: 'too large' } } : {},
        200,
        headers,
      );
    response.writeHead(200, { 'content-type': 'application/x-protobuf', 'content-length': 0, ...headers }).end();
  });
};

async function withBody(
  deps: InsertDeps,
  request: IncomingMessage,
  otherwise: 'identity' | 'snappy',
  shared: SharedRoom | undefined,
  take: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  const { bytes, done } = await readBody(
    request,
    deps.options.limits.logInsertBytes,
    { room: deps.room, converter: deps.converter, shared },
    otherwise,
  );
  try {
    await take(bytes);
  } finally {
    done();
  }
}

function batchId(request: IncomingMessage): string | null {
  const id = request.headers[BATCH_ID_HEADER];
  if (id === undefined || id === '') return null;
  if (typeof id !== 'string' || !BATCH_ID.test(id))
    throw new Refusal(400, `the header ${BATCH_ID_HEADER} must be 1 to 128 visible characters`);
  return id;
}

/** From the query string, else from the header of that meaning. */
function batchOptions(
  { options: { limits }, claimedFields }: InsertDeps,
  request: IncomingMessage,
  args: URLSearchParams,
  { ndjson, streamFields }: { ndjson: Uint8Array; streamFields?: readonly string[] | null },
): LogBatch['options'] {
  const given = (name: string, header: string): string => args.get(name) || String(request.headers[header] ?? '');
  const list = (name: string, header: string): string[] => {
    const names = given(name, header)
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
    if (names.length > limits.logInsertNames)
      throw new Refusal(400, `too many names in ${name}: the maximum is ${limits.logInsertNames}, got ${names.length}`);
    return names;
  };
  const streams = list('_stream_fields', 'vl-stream-fields');
  const times = list('_time_field', 'vl-time-field');
  const messages = list('_msg_field', 'vl-msg-field');
  const extra = extraFields(list('extra_fields', 'vl-extra-fields'));
  refuseRepeated(ndjson, extra, limits.logInsertBytes);
  return {
    timeFields: times.length > 0 ? times : ['_time'],
    messageFields: messages.length > 0 ? messages : ['_msg'],
    streamFields: streams.length > 0 ? streams : (streamFields ?? []),
    ignoreFields: list('ignore_fields', 'vl-ignore-fields'),
    plainFields: list('decolorize_fields', 'vl-decolorize-fields'),
    jsonFields: list('preserve_json_keys', 'vl-preserve-json-keys'),
    extraFields: extra,
    ...(claimedFields.length > 0 && { claimedFields }),
  };
}

function extraFields(list: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    list.map((one) => {
      const at = one.indexOf('=');
      if (at <= 0)
        throw new Refusal(
          400,
          `cannot parse extra_fields: expected name=value, got ${JSON.stringify(one.slice(0, 100))}`,
        );
      return [one.slice(0, at), one.slice(at + 1)];
    }),
  );
}
