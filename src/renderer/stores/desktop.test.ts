import { afterEach, expect, it, vi } from 'vitest';
import { here } from './desktop.ts';

afterEach(() => vi.unstubAllGlobals());

it('names the place where the console keeps things after its home', () => {
  vi.stubGlobal('window', {});
  expect(here()).toBe('in this browser');
  vi.stubGlobal('window', { yardmaster: {} });
  expect(here()).toBe('on this computer');
});
