import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from './answer.ts';
import { lokiLines, lokiProtobuf } from './convert-loki.ts';
import { packed, pushOf, varint } from './convert-loki.fixture.ts';
import { unsnappy } from './snappy.ts';

/** Runs to an end that a sender can be told: a result, or a refusal. */
function refusedOrDone<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

describe('snappy', () => {
  /** A literal, or a copy of what came before in one of the three forms. */
  const piece = fc.oneof(
    fc.record({ literal: fc.uint8Array({ minLength: 1, maxLength: 300 }) }),
    fc.record({ form: fc.constantFrom(1, 2, 3), back: fc.nat(1000), length: fc.integer({ min: 4, max: 64 }) }),
  );

  it('unpacks literals and copies, also those that reach into themselves', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), (pieces) => {
        const plain: number[] = [];
        const parts: Buffer[] = [];
        for (const one of pieces) {
          if ('literal' in one) {
            const { length } = one.literal;
            parts.push(
              length <= 60
                ? Buffer.from([(length - 1) << 2])
                : length <= 256
                  ? Buffer.from([60 << 2, length - 1])
                  : Buffer.from([61 << 2, (length - 1) & 255, (length - 1) >> 8]),
              Buffer.from(one.literal),
            );
            plain.push(...one.literal);
          } else if (plain.length > 0) {
            const offset = (one.back % plain.length) + 1;
            const length = one.form === 1 ? (one.length % 8) + 4 : one.length;
            if (one.form === 1) parts.push(Buffer.from([1 | ((length - 4) << 2) | ((offset >> 8) << 5), offset & 255]));
            else
              parts.push(
                Buffer.from([
                  one.form | ((length - 1) << 2),
                  offset & 255,
                  offset >> 8,
                  ...(one.form === 3 ? [0, 0] : []),
                ]),
              );
            for (let i = 0; i < length; i++) plain.push(plain[plain.length - offset] as number);
          }
        }
        expect(unsnappy(Buffer.concat([varint(plain.length), ...parts]), 1e6)).toEqual(Buffer.from(plain));
      }),
    );
  });

  it('refuses a size that so few bytes cannot have, before any memory is taken', () => {
    expect(() => unsnappy(Buffer.concat([varint(60_000_000), Buffer.alloc(1000)]), 64e6)).toThrow(
      'the stated length is impossible',
    );
  });

  it('comes to an end whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        (data) => void refusedOrDone(() => unsnappy(Buffer.from(data), 100_000)),
      ),
      { numRuns: 2000 },
    );
  });
});

describe('protobuf', () => {
  const push = fc.array(
    fc.record({
      labels: fc.constantFrom('{}', '{a="1"}', '{a="1", b="\\u00e4\\x41"}'),
      entries: fc.array(
        fc.record({
          seconds: fc.nat(2e9),
          nanos: fc.nat(999_999_999),
          line: fc.oneof(fc.string(), fc.constant('{"a":{"b":[1]}}')),
          metadata: fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 2 }),
        }),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 4 },
  );

  it('gives each line of each stream as one JSON object', () => {
    fc.assert(
      fc.property(push, (streams) => {
        const lines = lokiProtobuf(pushOf(streams), false).flatMap(({ ndjson }) =>
          ndjson.toString().split('\n').slice(0, -1),
        );
        expect(lines).toHaveLength(streams.flatMap(({ entries }) => entries).length);
        for (const line of lines) expect(typeof JSON.parse(line)).toBe('object');
      }),
    );
  });

  it('ends in lines or in a refusal, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        (data) => void refusedOrDone(() => lokiProtobuf(Buffer.from(data), false)),
      ),
      { numRuns: 2000 },
    );
    const damaged = fc.tuple(push, fc.nat(), fc.nat(255)).map(([streams, at, byte]) => {
      const body = pushOf(streams);
      if (body.length > 0) body[at % body.length] = byte;
      return body;
    });
    fc.assert(
      fc.property(damaged, (body) => void refusedOrDone(() => lokiProtobuf(unsnappy(packed(body), 1e6), true))),
      { numRuns: 500 },
    );
  });
});

it('refuses what lies too deep to be written again, also where it stands for a time', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  for (const value of [`["1700000000000000000", "x", {"a": ${deep}}]`, `[${deep}, "x"]`])
    expect(() => lokiLines(Buffer.from(`{"streams": [{"stream": {}, "values": [${value}]}]}`), false)).toThrow(
      expect.objectContaining({ status: 400, message: 'the JSON body is nested too deeply' }),
    );
});
