import { expect, it } from 'vitest';
import { columnTracks } from './tracks.ts';

const column = (width: number, more: { grow?: boolean | number; pin?: 'start' | 'end'; fixed?: boolean } = {}) => ({
  width,
  fixed: false,
  ...more,
});

it('shares room by what the content of each column is worth', () => {
  expect(columnTracks([column(100, { grow: 260 }), column(120, { grow: true }), column(80)])).toEqual([
    'minmax(100px, 260fr)',
    'minmax(120px, 300fr)',
    'minmax(80px, 80fr)',
  ]);
});
it('keeps actions and widths that were chosen as they are', () => {
  expect(columnTracks([column(100), column(300, { fixed: true, grow: true }), column(42, { pin: 'end' })])).toEqual([
    'minmax(100px, 100fr)',
    '300px',
    '42px',
  ]);
});
it('never makes a column narrower than it needs', () => {
  expect(columnTracks([column(300, { grow: 200 })])).toEqual(['minmax(300px, 300fr)']);
});
it('fills the row where no column can grow', () => {
  expect(columnTracks([column(100, { fixed: true }), column(42, { pin: 'end' })])).toEqual(['100px', '42px', '1fr']);
});
