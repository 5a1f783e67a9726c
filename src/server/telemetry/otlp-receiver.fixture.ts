import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { OtlpOptions, OtlpTarget } from '../../contract/process.ts';
import type { OtlpSignal } from '../../contract/vocabulary.ts';

/** A type of protobufjs, as it is generated from OpenTelemetry's own definitions. */
interface MessageType {
  decode(bytes: Uint8Array): object;
  fromObject(value: object): object;
  encode(value: object): { finish(): Uint8Array };
  toObject(message: object, how: object): Record<string, never>;
}
interface ServiceTypes {
  readonly v1: Readonly<Record<string, MessageType>>;
}
interface Root {
  readonly opentelemetry: {
    readonly proto: { readonly collector: Readonly<Record<'trace' | 'metrics' | 'logs', ServiceTypes>> };
  };
}

const root: Root = createRequire(import.meta.url)('@opentelemetry/otlp-transformer/build/src/generated/root.js');
const { collector } = root.opentelemetry.proto;

const SERVICES = {
  traces: { types: collector.trace.v1, name: 'ExportTraceService' },
  metrics: { types: collector.metrics.v1, name: 'ExportMetricsService' },
  logs: { types: collector.logs.v1, name: 'ExportLogsService' },
} as const;

const typeOf = (signal: OtlpSignal, what: 'Request' | 'Response'): MessageType => {
  const { types, name } = SERVICES[signal];
  const type = types[`${name}${what}`];
  if (type === undefined) throw new Error(`no ${name}${what}`);
  return type;
};

export interface OtlpValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number;
}
export type OtlpAttributes = readonly { readonly key: string; readonly value: OtlpValue }[];
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: OtlpAttributes;
  readonly events: readonly {
    readonly timeUnixNano: string;
    readonly name: string;
    readonly attributes: OtlpAttributes;
  }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string; readonly attributes: OtlpAttributes }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}
export interface ReceivedLog {
  readonly timeUnixNano: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: OtlpValue;
  readonly attributes: OtlpAttributes;
  readonly traceId?: string;
  readonly spanId?: string;
}
interface Point {
  readonly timeUnixNano: string;
  readonly startTimeUnixNano?: string;
  readonly asDouble: number;
}
export interface ReceivedMetric {
  readonly name: string;
  readonly description: string;
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly sum?: {
    readonly dataPoints: readonly Point[];
    readonly aggregationTemporality: number;
    readonly isMonotonic: boolean;
  };
}
interface Scoped {
  readonly scope: { readonly name: string; readonly version: string };
  readonly spans?: ReceivedSpan[];
  readonly metrics?: ReceivedMetric[];
  readonly logRecords?: ReceivedLog[];
}
interface Resourced {
  readonly resource: { readonly attributes: OtlpAttributes };
  readonly scopeSpans?: Scoped[];
  readonly scopeMetrics?: Scoped[];
  readonly scopeLogs?: Scoped[];
}
export interface ReceivedRequest {
  readonly signal: OtlpSignal;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly resourceSpans?: Resourced[];
    readonly resourceMetrics?: Resourced[];
    readonly resourceLogs?: Resourced[];
  };
}

/** Attributes as a plain object: whole numbers as texts with `n` behind, so that they differ from doubles. */
export const plain = (attributes: OtlpAttributes): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.intValue === undefined ? (value.stringValue ?? value.boolValue ?? value.doubleValue) : `${value.intValue}n`,
    ]),
  );

/** A request that a client of OTLP would send, in protobuf. */
export const otlpRequest = (signal: OtlpSignal, body: object): Buffer => {
  const type = typeOf(signal, 'Request');
  return Buffer.from(type.encode(type.fromObject(body)).finish());
};

/** An answer of a receiver, in protobuf. */
export const otlpResponse = (signal: OtlpSignal, body: object): Buffer => {
  const type = typeOf(signal, 'Response');
  return Buffer.from(type.encode(type.fromObject(body)).finish());
};

/** Reads a request by OpenTelemetry's own definitions; IDs become hexadecimal digits. */
export function decodeRequest(signal: OtlpSignal, bytes: Buffer): ReceivedRequest['body'] {
  const type = typeOf(signal, 'Request');
  const object = type.toObject(type.decode(bytes), { longs: String, bytes: String, arrays: true });
  return JSON.parse(JSON.stringify(object), (key, value: unknown) =>
    /^(traceId|spanId|parentSpanId)$/.test(key) && typeof value === 'string'
      ? Buffer.from(value, 'base64').toString('hex')
      : value,
  );
}

/** A collector that takes OTLP over HTTP at a real port. `answer`: what it says instead of 200. */
export async function openReceiver(answer?: (request: ReceivedRequest, response: ServerResponse) => boolean) {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const signal = (request.url ?? '').replace(/^.*\/v1\//, '') as OtlpSignal;
      const sent = Buffer.concat(chunks);
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      const isJson = request.headers['content-type'] === 'application/json';
      const received: ReceivedRequest = {
        signal,
        headers: request.headers,
        body: isJson ? JSON.parse(bytes.toString()) : decodeRequest(signal, bytes),
      };
      if (answer?.(received, response)) return;
      requests.push(received);
      response.writeHead(200, { 'content-type': request.headers['content-type'] }).end(isJson ? '{}' : '');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const of = (signal: OtlpSignal) => requests.filter((request) => request.signal === signal).map(({ body }) => body);

  return {
    url,
    requests,
    spans: () =>
      of('traces').flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans = [] }) => scopeSpans.flatMap(({ spans = [] }) => spans)),
      ),
    metrics: () =>
      of('metrics').flatMap(({ resourceMetrics = [] }) =>
        resourceMetrics.flatMap(({ scopeMetrics = [] }) => scopeMetrics.flatMap(({ metrics = [] }) => metrics)),
      ),
    logs: () =>
      of('logs').flatMap(({ resourceLogs = [] }) =>
        resourceLogs.flatMap(({ scopeLogs = [] }) => scopeLogs.flatMap(({ logRecords = [] }) => logRecords)),
      ),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

export const targetAt = (url: string, signal: OtlpSignal, more: Partial<OtlpTarget> = {}): OtlpTarget => ({
  url: `${url}/v1/${signal}`,
  headers: {},
  tls: { caFile: null, client: null },
  timeoutMs: 5000,
  compression: false,
  encoding: 'protobuf',
  ...more,
});

/** Exports traces alone, as fast as they come. */
export const tracesTo = (url: string, more: Partial<OtlpOptions> = {}): OtlpOptions => ({
  traces: targetAt(url, 'traces'),
  metrics: null,
  logs: null,
  sampling: { parentBased: true, ratio: 1 },
  resource: {},
  delayMs: 20,
  metricIntervalMs: 50,
  ...more,
});
