import { afterEach, expect, it, vi } from 'vitest';
import { storageLocationText } from './desktop.ts';

afterEach(() => vi.unstubAllGlobals());

it('names the place where the console keeps things after its home', () => {
  vi.stubGlobal('window', {});
  expect(storageLocationText()).toBe('in this browser');
  vi.stubGlobal('window', { yardmaster: {} });
  expect(storageLocationText()).toBe('on this computer');
});
