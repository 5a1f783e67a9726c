import { isRecord } from '../../lib/is-record.ts';
import { nanos, SCOPE, severityOf, type Codec } from './codec.ts';
import type { Attributes } from './port.ts';
import type { OtlpSignal } from '../../contract/vocabulary.ts';

/** Names of a request's parts, and of what an answer says was refused. */
const NAMES: Readonly<
  Record<OtlpSignal, readonly [resources: string, scopes: string, records: string, rejected: string]>
> = {
  traces: ['resourceSpans', 'scopeSpans', 'spans', 'rejectedSpans'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics', 'rejectedDataPoints'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords', 'rejectedLogRecords'],
};

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const time = (ms: number): string => String(nanos(ms));

const attributesOf = (values: Attributes): object[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : Number.isSafeInteger(value)
            ? { intValue: String(value) }
            : { doubleValue: doubleOf(value) },
  }));

/** JSON has no word for these; the mapping of protocol buffers has. */
const doubleOf = (value: number): number | string =>
  Number.isFinite(value) ? value : Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';

/** OTLP in JSON: IDs in hexadecimal digits, 64-bit numbers as texts. */
export const jsonCodec: Codec = {
  contentType: 'application/json',
  span: ({ traceId, spanId, parentSpanId, name, kind, start, end, attributes, events, links, error }) =>
    bytesOf({
      traceId,
      spanId,
      ...(parentSpanId === null ? {} : { parentSpanId }),
      name,
      kind,
      startTimeUnixNano: time(start),
      endTimeUnixNano: time(end),
      attributes: attributesOf(attributes),
      events: events.map((event) => ({
        timeUnixNano: time(event.at),
        name: event.name,
        attributes: attributesOf(event.attributes),
      })),
      links: links.map((link) => ({ ...link, attributes: attributesOf(link.attributes) })),
      status: error === null ? {} : { code: 2, message: error },
      flags: 1,
    }),
  log: ({ time: at, body, level, traceId, spanId, attributes }) =>
    bytesOf({
      timeUnixNano: String(at),
      observedTimeUnixNano: String(at),
      severityNumber: severityOf(level),
      severityText: level,
      body: { stringValue: body },
      attributes: attributesOf(attributes),
      ...(traceId === null ? {} : { traceId }),
      ...(spanId === null ? {} : { spanId }),
    }),
  metric({ name, help, type, value, from, at }) {
    const point = { timeUnixNano: time(at), asDouble: doubleOf(value) };
    return bytesOf({
      name,
      description: help,
      ...(type === 'gauge'
        ? { gauge: { dataPoints: [point] } }
        : {
            sum: {
              dataPoints: [{ startTimeUnixNano: time(from), ...point }],
              aggregationTemporality: 2,
              isMonotonic: true,
            },
          }),
    });
  },
  request(signal, { resource, version }, records) {
    const [resources, scopes, name] = NAMES[signal];
    const head = `{"${resources}":[{"resource":${JSON.stringify({ attributes: attributesOf(resource) })},"${scopes}":[{"scope":${JSON.stringify({ name: SCOPE, version })},"${name}":[`;
    return Buffer.concat([
      Buffer.from(head),
      ...records.flatMap((record, i) => (i === 0 ? [record] : [COMMA, record])),
      Buffer.from(']}]}]}'),
    ]);
  },
  partialSuccess(signal, body) {
    if (body.length === 0) return null;
    const answer: unknown = JSON.parse(body.toString());
    const partial = isRecord(answer) ? answer['partialSuccess'] : undefined;
    if (!isRecord(partial)) return null;
    const rejected = Number(partial[NAMES[signal][3]] ?? 0);
    const message = String(partial['errorMessage'] ?? '');
    return rejected > 0 || message !== '' ? { rejected, message } : null;
  },
};
const COMMA = Buffer.from(',');
