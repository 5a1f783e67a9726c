import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pinnedColumns, columnPin, pinWidths } from './pins.ts';

const workers = { all: 1338, start: 122, end: 108 };
const column = (id: string, pin?: 'start' | 'end') => ({
  id,
  header: id,
  width: 100,
  cell: () => null,
  ...(pin && { pin }),
});

it('holds nothing where all columns fit', () => {
  expect(pinnedColumns(1338, workers)).toBe('none');
  expect(pinnedColumns(1600, workers)).toBe('none');
});
it('holds the name of a row and what can be done to it where they do not', () => {
  expect(pinnedColumns(790, workers)).toBe('both');
  expect(pinnedColumns(400, workers)).toBe('both');
});
it('lets the name go before what can be done', () => {
  expect(pinnedColumns(300, workers)).toBe('end');
  expect(pinnedColumns(120, workers)).toBe('none');
});
it('leaves a third of the box to the other columns, whatever the widths', () => {
  const pixels = fc.integer({ min: 0, max: 3000 });
  fc.assert(
    fc.property(pixels, pixels, pixels, pixels, (box, start, end, others) => {
      const held = { none: 0, end, both: start + end }[pinnedColumns(box, { all: start + end + others, start, end })];
      expect(held).toBeLessThanOrEqual(box * 0.67);
    }),
  );
});
it('takes the first column for the name, and a second one that says so', () => {
  const columns = [column('on'), column('name', 'start'), column('to'), column('actions', 'end')];
  expect(columns.map((_, index) => columnPin(columns, index))).toEqual(['0', '1', undefined, 'end']);
  expect([column('id'), column('state')].map((_, index, all) => columnPin(all, index))).toEqual(['0', undefined]);
});
it('adds up what stays', () => {
  const columns = [column('on'), column('name', 'start'), column('to'), column('actions', 'end')];
  expect(pinWidths(columns, ({ id }) => ({ on: 60, name: 180, to: 300 })[id] ?? 90, 36)).toEqual({
    all: 666,
    first: 96,
    start: 276,
    end: 90,
  });
});
