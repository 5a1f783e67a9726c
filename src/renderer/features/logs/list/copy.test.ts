import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../../contract/logs.ts';
import { COLOUR_BY, HUES, recordHue } from './record-hue.ts';
import { COPY_LINES, textOf } from './copy.ts';
import {
  evenEdges,
  alignAnchor,
  lineAt,
  anchorAtScroll,
  ROW_HEIGHT,
  scrollAtAnchor,
  trackHeight,
} from './scroll-anchor.ts';
import { selectionSize, extendSelection, isSelected, selectionRange, clampSelection } from './selection.ts';

describe('the scroll bar', () => {
  it('is exact while lines are even and few, and bounded when they are many', () => {
    expect(trackHeight(1000, ROW_HEIGHT, 500)).toBe(22_000);
    expect(trackHeight(1_000_000, ROW_HEIGHT, 500)).toBe(8_000_000);
    expect(trackHeight(3, ROW_HEIGHT, 500)).toBe(500);
  });
  it('leads to the place that it stands for, and back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -5_000_000, max: 5_000_000 }),
        fc.integer({ min: 50, max: 2_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (first, lines, share) => {
          const bounds = { first, end: first + lines };
          const track = trackHeight(lines, ROW_HEIGHT, 600);
          const thumb = share * (track - 600);
          const place = anchorAtScroll(thumb, bounds, ROW_HEIGHT, 600, track);
          expect(place.number).toBeGreaterThanOrEqual(first);
          expect(place.number).toBeLessThan(bounds.end);
          expect(Math.abs(scrollAtAnchor(place, bounds, ROW_HEIGHT, 600, track) - thumb)).toBeLessThan(1);
        },
      ),
    );
  });
  it('knows the line at a height', () => {
    expect([0, 21, 22, 70, 71, 500].map((y) => lineAt([0, 22, 71], y))).toEqual([0, 0, 1, 1, 2, 2]);
  });
});

describe('lines of one height', () => {
  it('keep the place where it is, as a line and less than its height, with the view filled', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: -100, max: 1_000_100 }),
        fc.integer({ min: -5000, max: 5000 }),
        fc.integer({ min: 0, max: 1200 }),
        (first, lines, index, offset, view) => {
          const bounds = { first, end: first + lines };
          const asked = index * ROW_HEIGHT + offset;
          const { number, offset: left } = alignAnchor({ number: first + index, offset }, bounds, view);
          const above = (number - first) * ROW_HEIGHT + left;
          expect(above).toBe(Math.max(0, Math.min(asked, lines * ROW_HEIGHT - view)));
          expect(left >= 0 && left < ROW_HEIGHT).toBe(true);
        },
      ),
    );
  });
  it('are found by their height without being measured', () => {
    const { count, total, top, at } = evenEdges(3);
    expect([count, total, top(2)]).toEqual([3, 66, 44]);
    expect([-5, 0, 21, 22, 65, 500].map(at)).toEqual([0, 0, 0, 1, 2, 2]);
  });
});

describe('a selection', () => {
  it('reaches from where it began to where it ends, both ways', () => {
    const up = { anchor: 9, head: 4 };
    expect([selectionRange(up), selectionSize(up), isSelected(up, 4), isSelected(up, 9), isSelected(up, 10)]).toEqual([
      [4, 9],
      6,
      true,
      true,
      false,
    ]);
    expect(extendSelection(up, 1, 12)).toEqual({ anchor: 9, head: 12 });
    expect(extendSelection(null, 3, 5)).toEqual({ anchor: 3, head: 5 });
  });
  it('keeps to what is held', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 1, max: 50 }),
        (anchor, head, first, size) => {
          const left = clampSelection({ anchor, head }, first, first + size);
          for (let n = 0; n < 160; n++)
            expect(isSelected(left, n)).toBe(isSelected({ anchor, head }, n) && n >= first && n < first + size);
        },
      ),
    );
  });
});

describe('what is copied', () => {
  const record = (n: number): LogRecord => ({ _time: '2026-01-01T00:00:00.000Z', _msg: `line ${n}`, level: 'INFO', n });
  it('is text for people or JSON lines, with its rests, and has an end', async () => {
    expect(await textOf(record, 1, 2, 'text', async () => {})).toBe(
      '2026-01-01T00:00:00.000Z INFO  line 1 n=1\n2026-01-01T00:00:00.000Z INFO  line 2 n=2',
    );
    expect((await textOf(record, 1, 2, 'ndjson', async () => {})).split('\n').map((line) => JSON.parse(line))).toEqual([
      record(1),
      record(2),
    ]);
    let rests = 0;
    expect((await textOf(record, 0, COPY_LINES + 5, 'text', async () => void rests++)).split('\n')).toHaveLength(
      COPY_LINES,
    );
    expect(rests).toBeGreaterThan(0);
  });
});

it('gives lines of the same source the same stripe', () => {
  for (const by of COLOUR_BY) expect(recordHue({ _time: '', _msg: '' }, by)).toBeUndefined();
  const hue = recordHue({ _time: '', _msg: '', source: 'a' }, 'source') as number;
  expect(hue).toBe(recordHue({ _time: '', _msg: 'other', source: 'a' }, 'source'));
  expect(hue >= 0 && hue < HUES).toBe(true);
  expect(
    new Set(Array.from({ length: 100 }, (_, i) => recordHue({ _time: '', _msg: '', source: `worker ${i}` }, 'source')))
      .size,
  ).toBe(HUES);
});
