import { expect, it } from 'vitest';
import { diskState } from './disk-space.ts';

const GIB = 1024 ** 3;
const state = (free: number, total: number) =>
  diskState({ freeBytes: free * GIB, totalBytes: total * GIB }, { logReserveBytes: GIB / 16 });

it('warns before anything is refused', () => {
  expect(state(0.9, 4)).toBe('low');
  expect(state(9, 100)).toBe('low');
  expect(state(11, 100)).toBeNull();
  expect(state(60, 1000)).toBeNull();
});
it('tells a full disk from the reserve of the log store on', () => {
  expect(state(0.1, 100)).toBe('full');
  expect(state(0.13, 100)).toBe('low');
});
it('says nothing where the master does not tell its disk', () => {
  expect(diskState(undefined, {})).toBeNull();
});
