import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { it } from 'vitest';
import { sumOf } from './whole.ts';

const text = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 60 }));

it('sums short texts as zlib does', () => fc.assert(fc.property(text, (one) => sumOf(one) === crc32(one))));
