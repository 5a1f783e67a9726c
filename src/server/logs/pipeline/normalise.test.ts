import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../lib/code-point.fixture.ts';
import { instantOf } from './instant.ts';
import { eventsOf, type Sender } from './normalise.ts';
import { partsOf } from './json-members.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const sender = (): Sender => ({ address: 'tcp:10.0.0.7', assigned: new Map(), claims: null });
const texts = (line: string, from = sender()) =>
  eventsOf(line, from, NOW, { unparsed: 0 }).map((event) => (typeof event === 'string' ? event : event()));
const event = (line: string): Record<string, unknown> => JSON.parse(texts(line)[0] as string);
const now = '2026-01-02T03:04:05.678Z';

describe('what shippers send', () => {
  it.each([
    [
      'pino',
      '{"level":30,"time":1741600800123,"pid":1,"hostname":"h","msg":"hello"}',
      {
        _time: '2025-03-10T10:00:00.123Z',
        _msg: 'hello',
        level: 'INFO',
        source: 'tcp:10.0.0.7',
        pid: 1,
        hostname: 'h',
      },
    ],
    [
      'winston',
      '{"level":"warn","message":"hello","@timestamp":"2025-03-10T10:00:00.123Z"}',
      { _time: '2025-03-10T10:00:00.123Z', _msg: 'hello', level: 'WARN', source: 'tcp:10.0.0.7' },
    ],
    [
      'Fluent Bit',
      '{"date":1741600800.123456,"log":"hello"}',
      { _time: '2025-03-10T10:00:00.123456Z', _msg: 'hello', source: 'tcp:10.0.0.7' },
    ],
    [
      'Vector',
      '{"timestamp":"2025-03-10T10:00:00.123456789Z","message":"hello","host":"h","source_type":"file"}',
      {
        _time: '2025-03-10T10:00:00.123456789Z',
        _msg: 'hello',
        source: 'tcp:10.0.0.7',
        host: 'h',
        source_type: 'file',
      },
    ],
    [
      'log4j',
      '{"timeMillis":1741600800123,"level":"FATAL","message":"hello"}',
      { _time: '2025-03-10T10:00:00.123Z', _msg: 'hello', level: 'FATAL', source: 'tcp:10.0.0.7' },
    ],
    ['GELF', '{"message":"hello","level":3}', { _time: now, _msg: 'hello', level: 'ERROR', source: 'tcp:10.0.0.7' }],
    [
      'a worker',
      '{"_time":"2025-03-10T10:00:00Z","_msg":"m","level":"INFO","job_id":"j","task_id":"t","worker_id":"w","source":"code","n":1}',
      {
        _time: '2025-03-10T10:00:00.000Z',
        _msg: 'm',
        level: 'INFO',
        job_id: 'j',
        task_id: 't',
        worker_id: 'w',
        source: 'code',
        n: 1,
      },
    ],
  ])('%s', (_name, line, expected) => expect(event(line)).toEqual(expected));

  it('takes an array for several events, and text for a message', () => {
    expect(texts('[{"msg":"one"}, {"msg":"two"},3]').map((text) => JSON.parse(text)._msg)).toEqual(['one', 'two', '3']);
    expect(event('not json\r')).toEqual({
      _time: now,
      _msg: 'not json',
      source: 'tcp:10.0.0.7',
      tags: ['_jsonparsefailure'],
    });
    expect(event('AUTH failed for somebody')['_msg']).toBe('AUTH failed for somebody');
    // A token that came too late.
    expect(event(' AUTH yt_0123456789abcdef0123456789\r')).toMatchObject({
      ...{ _msg: 'AUTH [redacted]', tags: ['_jsonparsefailure'] },
    });
    expect(event('"a string"')).toMatchObject({ _msg: '"a string"', tags: ['_jsonparsefailure'] });
    expect(texts('  \r')).toEqual([]);
    expect(texts('[]')).toEqual([]);
    expect(event('{"msg":"crlf"}\r')).toMatchObject({ _msg: 'crlf' });
  });

  it('keeps every value to the letter', () => {
    const [text] = texts(
      '{"msg":"m","a":12345678901234567890,"b":1.0,"c":1e3,"d":{ "x" : [ 1.50 ] },"e":null,"__proto__":{"z":1},"f":"\\u00e9\\n"}',
    );
    expect(text).toBe(
      `{"_time":"${now}","_msg":"m","source":"tcp:10.0.0.7","a":12345678901234567890,"b":1.0,"c":1e3,"d":{ "x" : [ 1.50 ] },"e":null,"__proto__":{"z":1},"f":"\\u00e9\\n"}`,
    );
  });

  it('tags a time that is none, and keeps it under another name than the time', () => {
    expect(event('{"@timestamp":"yesterday","msg":"m","tags":["a"]}')).toEqual({
      _time: now,
      _msg: 'm',
      source: 'tcp:10.0.0.7',
      '@timestamp': 'yesterday',
      tags: ['a', '_timestampparsefailure'],
    });
    expect(event('{"_time":"never","msg":"m","tags":"a"}')).toEqual({
      _time: now,
      _msg: 'm',
      source: 'tcp:10.0.0.7',
      time: 'never',
      tags: ['a', '_timestampparsefailure'],
    });
  });

  it('reads the first name that has a value, and leaves the others as fields', () => {
    expect(event('{"_msg":"","message":null,"msg":"third","log":"fourth","severity":"err","job_id":7}')).toEqual({
      _time: now,
      _msg: 'third',
      level: 'ERROR',
      job_id: '7',
      source: 'tcp:10.0.0.7',
      message: null,
      log: 'fourth',
    });
  });

  it('adds what the sender was assigned to lines that lack it', () => {
    const from = sender();
    expect(texts('{"_assign":{"job_id":"j","worker_id":"w","source":"sensor"}}', from)).toEqual([]);
    expect(JSON.parse(texts('{"msg":"m","worker_id":"own"}', from)[0] as string)).toEqual({
      _time: now,
      _msg: 'm',
      job_id: 'j',
      worker_id: 'own',
      source: 'sensor',
    });
    expect(JSON.parse(texts('plain', from)[0] as string)).toMatchObject({
      job_id: 'j',
      worker_id: 'w',
      source: 'sensor',
    });
    texts('{"_assign":{"job_id":null,"source":null}}', from);
    expect(JSON.parse(texts('{"msg":"m"}', from)[0] as string)).toEqual({
      _time: now,
      _msg: 'm',
      worker_id: 'w',
      source: 'tcp:10.0.0.7',
    });
  });

  it('keeps a line whose values are too deep as text', () => {
    expect(event(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)).toMatchObject({ tags: ['_jsontoodeep'] });
    expect(event(`{"a":${'['.repeat(199)}${']'.repeat(199)}}`)).not.toHaveProperty('tags');
    expect(event(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`)).toHaveProperty('tags');
  });
});

it('makes one valid JSON object of any line, whatever is in it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: codePoint }),
        fc.json(),
        fc
          .dictionary(
            fc.constantFrom(
              '_time',
              'time',
              'level',
              'msg',
              'message',
              'tags',
              'job_id',
              'source',
              'x',
              '__proto__',
              'a"b',
            ),
            fc.jsonValue(),
          )
          .map((value) => JSON.stringify(value)),
      ),
      (line) => {
        for (const text of texts(line.replaceAll('\n', ' '))) {
          const value = JSON.parse(text);
          expect(typeof value._msg).toBe('string');
          expect(instantOf(value._time)).toBeDefined();
          expect(text).not.toContain('\n');
        }
      },
    ),
  );
});

it('cuts JSON into parts that say the same', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
      fc.constantFrom(undefined, 1, '\t'),
      (value, indent) => {
        const parts = partsOf(JSON.stringify(value, null, indent));
        const values = parts?.values.map((text) => JSON.parse(text));
        const plain = JSON.parse(JSON.stringify(value));
        if (Array.isArray(plain)) expect(values).toEqual(plain);
        else expect(Object.fromEntries(parts?.keys?.map((key, i) => [key, values?.[i]]) ?? [])).toEqual(plain);
      },
    ),
  );
});

it.each([
  ['2025-03-10T10:00:00Z', '2025-03-10T10:00:00.000Z'],
  ['2025-03-10 10:00:00.1+01:00', '2025-03-10T09:00:00.100Z'],
  ['2025-03-10T10:00:00,123456789123+0130', '2025-03-10T08:30:00.123456789Z'],
  ['2025-03-10T10:00:00.000000001', '2025-03-10T10:00:00.000000001Z'],
  ['1741600800', '2025-03-10T10:00:00.000Z'],
  ['1741600800.5', '2025-03-10T10:00:00.500Z'],
  ['1741600800123', '2025-03-10T10:00:00.123Z'],
  ['1741600800123.25', '2025-03-10T10:00:00.12325Z'],
  ['1741600800123456', '2025-03-10T10:00:00.123456Z'],
  ['1741600800123456789', '2025-03-10T10:00:00.123456789Z'],
  ['1.7416008e9', '2025-03-10T10:00:00.000Z'],
  ['0', undefined],
  ['-5', undefined],
  ['2025-13-40T00:00:00Z', undefined],
  ['99999999999999999999', undefined],
  ['true', undefined],
  ['{"a":1}', undefined],
])('reads the time %s as %s', (given, expected) => expect(instantOf(given)).toBe(expected));
