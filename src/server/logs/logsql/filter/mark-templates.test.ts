import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blockOf } from '../blocks.fixture.ts';
import { frameOf } from '../frame.ts';
import { readQuery } from '../parse.ts';
import { compileFilter } from './evaluate.ts';
import { expectSameAsEachText } from './marks.fixture.ts';

const part = fc.constantFrom('.', '0', '1', '10', '01', '123456789', 'a', 'A', '_', ' ', '-', 'ä', 'İ', '٣', '😀');
const message = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));

it('finds in templates what a look at each text finds', () => expectSameAsEachText(message, 'templates'));

it.each(['"phrase 7"', '"a 12345678901 b"', '7*', '~"7 b"'])(
  'can be stopped while it looks through the templates of a block for %s',
  (query) => {
    const rows = Array.from({ length: 4000 }, (_, n) => ({
      _time: '2026-01-01T00:00:00Z',
      _msg: n % 2 === 0 ? `phrase ${n} a 12345678901 b` : `a ${n} b ${n}`,
    }));
    const frame = frameOf(blockOf(1, rows, new Set(), new Set(['_msg'])), null);
    const stop = new Error('stopped');
    const check = () => {
      throw stop;
    };
    const matcher = compileFilter(readQuery(`_msg:${query}`).filter, { now: 0n, values: () => new Set(), check });
    expect(() => matcher(frame, null)).toThrow(stop);
  },
);
