import type { Key } from './line-keys.ts';

export interface Bytes {
  bytes: Buffer;
  start: number;
  end: number;
}
/** A value that waits for the end of its line. */
export interface Held extends Bytes {
  key: Key;
  bare: number;
}

/** Of values that were held, so many, the one with the time: by the earliest name of the list, and the last of that name. */
export function heldTime(held: readonly Held[], heldCount: number): Held | undefined {
  let best: Held | undefined;
  for (let i = 0; i < heldCount; i++) {
    const one = held[i] as Held;
    if (one.key.time >= 0 && (best === undefined || one.key.time <= best.key.time)) best = one;
  }
  return best;
}

/** The same for the message. */
export function heldMessage(held: readonly Held[], heldCount: number): Held | undefined {
  let best: Held | undefined;
  for (let i = 0; i < heldCount; i++) {
    const one = held[i] as Held;
    if (one.key.message >= 0 && (best === undefined || one.key.message <= best.key.message)) best = one;
  }
  return best;
}

/** `0` or `-`, which stand for the time of arrival. */
export const isNoTime = ({ bytes, start, end }: Bytes): boolean =>
  end - start === 1 && (bytes[start] === 0x30 || bytes[start] === 0x2d);
