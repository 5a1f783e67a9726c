import { expect, it } from 'vitest';
import { ownBuffer, releaseBytes } from './own-buffer.ts';

it('gives the memory of bytes back, where they share it with no others', () => {
  const own = new Uint8Array(10);
  const all = new Uint8Array(10).fill(7);
  const part = all.subarray(0, 5);
  expect([own, part, null].map((value) => ownBuffer(value).length)).toEqual([1, 0, 0]);
  releaseBytes(own);
  releaseBytes(part);
  expect(own.buffer.detached).toBe(true);
  expect([...part]).toEqual([7, 7, 7, 7, 7]);
  releaseBytes(own);
});
