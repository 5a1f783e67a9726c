import fc from 'fast-check';
import { expect, it } from 'vitest';
import { otlpRequest } from '../../telemetry/otlp-receiver.fixture.ts';
import { Refusal } from './answer.ts';
import { otlpJson, otlpProtobuf } from './convert-otlp.ts';

/** Log lines as OpenTelemetry's clients send them: written by its own definitions, read as fields of the log store. */
const REQUEST = {
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
      scopeLogs: [
        {
          scope: { name: 'cart', attributes: [{ key: 'lib', value: { boolValue: true } }] },
          logRecords: [
            {
              timeUnixNano: '1741600800123456789',
              severityNumber: 17,
              body: { stringValue: 'grüße' },
              traceId: '0af7651916cd43dd8448eb211c80319c',
              spanId: 'b7ad6b7169203331',
              attributes: [
                { key: 'n', value: { intValue: '-9007199254740993' } },
                { key: 'd', value: { doubleValue: 1.5 } },
                { key: 'http', value: { kvlistValue: { values: [{ key: 'status', value: { intValue: '200' } }] } } },
                { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '2' }] } } },
              ],
            },
            {
              observedTimeUnixNano: '1741600801000000000',
              severityText: 'warn',
              eventName: 'paid',
              body: { stringValue: 'x' },
            },
          ],
        },
      ],
    },
  ],
};
const hexToBase64 = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, one: unknown) =>
    /^(traceId|spanId)$/.test(key) && typeof one === 'string' ? Buffer.from(one, 'hex').toString('base64') : one,
  );
const read = (converted: ReturnType<typeof otlpJson>) =>
  converted.map(({ ndjson, streamFields }) => ({
    streamFields,
    lines: ndjson
      .toString()
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  }));
const EXPECTED = [
  {
    streamFields: ['service.name'],
    lines: [
      {
        'service.name': 'shop',
        'scope.name': 'cart',
        'scope.version': 'unknown',
        'scope.attributes.lib': 'true',
        _time: '1741600800123456789',
        _msg: 'grüße',
        severity_number: '17',
        level: 'ERROR',
        n: '-9007199254740993',
        d: '1.5',
        'http.status': '200',
        list: '["a","2"]',
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        span_id: 'b7ad6b7169203331',
      },
    ],
  },
  {
    streamFields: ['event_name', 'service.name'],
    lines: [
      {
        'service.name': 'shop',
        'scope.name': 'cart',
        'scope.version': 'unknown',
        'scope.attributes.lib': 'true',
        _time: '1741600801000000000',
        _msg: 'x',
        severity_text: 'warn',
        level: 'WARN',
        event_name: 'paid',
      },
    ],
  },
];

it('reads protobuf', () =>
  expect(read(otlpProtobuf(otlpRequest('logs', hexToBase64(REQUEST) as object)))).toEqual(EXPECTED));
it('reads JSON alike', () => expect(read(otlpJson(Buffer.from(JSON.stringify(REQUEST))))).toEqual(EXPECTED));

it('any bytes are lines or a refusal, and never anything else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      for (const convert of [otlpProtobuf, otlpJson])
        try {
          convert(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
    }),
  );
});

it('values that lie too deep in one another are refused', () => {
  let value: object = { stringValue: 'x' };
  for (let i = 0; i < 100; i++) value = { arrayValue: { values: [value] } };
  const request = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: value }] }] }] };
  expect(() => otlpProtobuf(otlpRequest('logs', request))).toThrow(/nested more than 32/);
  expect(() => otlpJson(Buffer.from(JSON.stringify(request)))).toThrow(/nested more than 32/);
});

it('refuse a request that becomes far more than it is, before it is made', () => {
  const long = 'x'.repeat(10_000);
  const attributes = [{ key: 'a', value: { stringValue: long } }];
  const repeated = {
    resourceLogs: [
      { resource: { attributes }, scopeLogs: [{ logRecords: Array.from({ length: 50_000 }, () => ({})) }] },
    ],
  };
  const values = Array.from({ length: 50_000 }, (_, n) => ({ key: `k${n}`, value: { stringValue: '' } }));
  const nested = {
    resourceLogs: [
      {
        scopeLogs: [{ logRecords: [{ attributes: [{ key: long, value: { kvlistValue: { values } } }] }] }],
      },
    ],
  };
  const scopes = {
    resourceLogs: [{ resource: { attributes: values }, scopeLogs: Array.from({ length: 50_000 }, () => ({})) }],
  };
  for (const request of [repeated, nested, scopes]) {
    const body = Buffer.from(JSON.stringify(request));
    expect(() => otlpJson(body, 1_000_000)).toThrow(expect.objectContaining({ status: 413 }));
    expect(() => otlpProtobuf(otlpRequest('logs', request), 1_000_000)).toThrow(
      expect.objectContaining({ status: 413 }),
    );
  }
});

it('takes no list for a text, however deep it is', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const record = `{"body": {"stringValue": ${deep}}, "timeUnixNano": ${deep}, "severityNumber": ${deep}, "severityText": ${deep}, "traceId": ${deep}, "attributes": [{"key": "a", "value": {"intValue": ${deep}}}, {"key": "b", "value": {"stringValue": "kept"}}]}`;
  const body = `{"resourceLogs": [{"scopeLogs": [{"scope": {"name": ${deep}}, "logRecords": [${record}]}]}]}`;
  expect(read(otlpJson(Buffer.from(body)))).toEqual([
    expect.objectContaining({ lines: [expect.objectContaining({ b: 'kept' })] }),
  ]);
});
