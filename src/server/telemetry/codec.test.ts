import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonCodec } from './json-codec.ts';
import { createProtobufCodec } from './protobuf-codec.ts';
import { decodeRequest, otlpResponse, plain } from './otlp-receiver.fixture.ts';
import { SPAN_KIND } from '../../lib/span-kind.ts';
import type { Attributes, SpanRecord } from './port.ts';

/** Both ways of writing OTLP, read by the definitions that OpenTelemetry publishes. */
const codec = createProtobufCodec();
const origin = { resource: { 'service.name': 'yardmaster', pid: 7 }, version: '1.2.3' };

const hex = (digits: number) =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`)).filter((text) => !/^0+$/.test(text));
const attributes: fc.Arbitrary<Attributes> = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 20 }).filter((key) => key !== '__proto__'),
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
  ),
);
const time = fc.integer({ min: 1, max: 4_000_000_000_000 });
const span: fc.Arbitrary<SpanRecord> = fc.record({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: fc.option(hex(16)),
  name: fc.string({ unit: 'grapheme', maxLength: 200 }),
  kind: fc.constantFrom(...Object.values(SPAN_KIND)),
  start: time,
  end: time,
  attributes,
  events: fc.array(fc.record({ name: fc.string(), at: time, attributes }), { maxLength: 3 }),
  links: fc.array(fc.record({ traceId: hex(32), spanId: hex(16), attributes }), { maxLength: 2 }),
  error: fc.option(fc.string({ unit: 'grapheme', maxLength: 1000 })),
});
const shown = (values: Attributes) =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      Number.isSafeInteger(value) ? `${String(Object.is(value, -0) ? 0 : value)}n` : value,
    ]),
  );

it('any span reads the same in protobuf', () => {
  fc.assert(
    fc.property(fc.array(span, { minLength: 1, maxLength: 5 }), (spans) => {
      const body = decodeRequest(
        'traces',
        codec.request(
          'traces',
          origin,
          spans.map((one) => codec.span(one)),
        ),
      );
      const [{ resource, scopeSpans = [] } = { resource: { attributes: [] } }] = body.resourceSpans ?? [];
      expect(plain(resource.attributes)).toEqual({ 'service.name': 'yardmaster', pid: '7n' });
      expect(scopeSpans[0]?.scope).toMatchObject({ name: 'yardmaster', version: '1.2.3' });
      const read = scopeSpans[0]?.spans ?? [];
      expect(read).toHaveLength(spans.length);
      for (const [i, one] of spans.entries()) {
        const got = read[i];
        expect(got).toMatchObject({
          traceId: one.traceId,
          spanId: one.spanId,
          kind: one.kind,
          startTimeUnixNano: `${one.start}000000`,
          endTimeUnixNano: `${one.end}000000`,
        });
        expect(got?.name ?? '').toBe(one.name);
        expect(got?.parentSpanId ?? null).toBe(one.parentSpanId);
        expect(plain(got?.attributes ?? [])).toEqual(shown(one.attributes));
        expect(got?.events.map((event) => [event.name ?? '', event.timeUnixNano, plain(event.attributes)])).toEqual(
          one.events.map((event) => [event.name, `${event.at}000000`, shown(event.attributes)]),
        );
        expect(got?.links.map((link) => [link.traceId, link.spanId, plain(link.attributes)])).toEqual(
          one.links.map((link) => [link.traceId, link.spanId, shown(link.attributes)]),
        );
        expect(got?.status?.code ?? 0).toBe(one.error === null ? 0 : 2);
        expect(got?.status?.message ?? '').toBe(one.error ?? '');
      }
    }),
  );
});

it('JSON says the same as protobuf', () => {
  fc.assert(
    fc.property(span, (one) => {
      const json = JSON.parse(jsonCodec.request('traces', origin, [jsonCodec.span(one)]).toString());
      const read = json.resourceSpans[0].scopeSpans[0].spans[0];
      const same = decodeRequest('traces', codec.request('traces', origin, [codec.span(one)])).resourceSpans?.[0]
        ?.scopeSpans?.[0]?.spans?.[0];
      expect(plain(read.attributes)).toEqual(plain(same?.attributes ?? []));
      expect([read.traceId, read.spanId, read.parentSpanId, read.startTimeUnixNano]).toEqual([
        same?.traceId,
        same?.spanId,
        same?.parentSpanId,
        same?.startTimeUnixNano,
      ]);
      expect(read.status.code).toBe(same?.status?.code);
    }),
  );
});

it('a log line keeps its nanoseconds, level, trace and fields', () => {
  const line = {
    time: 1_741_600_800_123_456_789n,
    body: 'grüße',
    level: 'WARN',
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    attributes: { job_id: 'j' },
  };
  const [read] =
    decodeRequest('logs', codec.request('logs', origin, [codec.log(line)])).resourceLogs?.[0]?.scopeLogs?.[0]
      ?.logRecords ?? [];
  expect(read).toMatchObject({
    timeUnixNano: '1741600800123456789',
    severityNumber: 13,
    severityText: 'WARN',
    body: { stringValue: 'grüße' },
    traceId: line.traceId,
    spanId: line.spanId,
  });
  expect(plain(read?.attributes ?? [])).toEqual({ job_id: 'j' });
});

it('a counter is a monotonic sum since the start, everything else a gauge', () => {
  const at = { from: 1000, at: 2000 };
  const written = [
    codec.metric({ name: 'yardmaster_x_total', help: 'X', type: 'counter', value: 3, ...at }),
    codec.metric({ name: 'yardmaster_y', help: 'Y', type: 'gauge', value: 0, ...at }),
  ];
  const read = decodeRequest('metrics', codec.request('metrics', origin, written)).resourceMetrics?.[0]
    ?.scopeMetrics?.[0]?.metrics;
  expect(read).toMatchObject([
    {
      name: 'yardmaster_x_total',
      sum: {
        isMonotonic: true,
        aggregationTemporality: 2,
        dataPoints: [{ startTimeUnixNano: '1000000000', timeUnixNano: '2000000000', asDouble: 3 }],
      },
    },
    { name: 'yardmaster_y', gauge: { dataPoints: [{ asDouble: 0 }] } },
  ]);
});

it('reads what a receiver refused of a request', () => {
  const partialSuccess = { rejectedSpans: 3, errorMessage: 'too old' };
  expect(codec.partialSuccess('traces', otlpResponse('traces', { partialSuccess }))).toEqual({
    rejected: 3,
    message: 'too old',
  });
  expect(codec.partialSuccess('traces', otlpResponse('traces', {}))).toBeNull();
  expect(
    jsonCodec.partialSuccess(
      'traces',
      Buffer.from(JSON.stringify({ partialSuccess: { rejectedSpans: '3', errorMessage: 'too old' } })),
    ),
  ).toEqual({ rejected: 3, message: 'too old' });
  expect(jsonCodec.partialSuccess('traces', Buffer.alloc(0))).toBeNull();
});
