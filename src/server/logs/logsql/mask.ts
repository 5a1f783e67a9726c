/** Which rows of a frame pass: all, none, or those with a 1. */
export type Mask = boolean | Uint8Array;

export function andMask(a: Mask, b: Mask): Mask {
  if (a === true) return b;
  if (b === true) return a;
  if (a === false || b === false) return false;
  for (let i = 0; i < b.length; i++) b[i] = (a[i] ?? 0) & (b[i] ?? 0);
  return b;
}

export function orMask(a: Mask, b: Mask): Mask {
  if (a === false) return b;
  if (b === false) return a;
  if (a === true || b === true) return true;
  for (let i = 0; i < b.length; i++) b[i] = (a[i] ?? 0) | (b[i] ?? 0);
  return b;
}

export function notMask(mask: Mask): Mask {
  if (typeof mask === 'boolean') return !mask;
  const out = new Uint8Array(mask.length);
  for (let i = 0; i < mask.length; i++) out[i] = (mask[i] ?? 0) ^ 1;
  return out;
}

export function bitsOf(mask: Uint8Array): number {
  let n = 0;
  for (let i = 0; i < mask.length; i++) n += mask[i] as number;
  return n;
}

/** The picked rows that pass; null: all rows of the frame do. */
export function pick(mask: Mask, rows: number, picked: Uint32Array | null): Uint32Array | null {
  if (mask === true) return picked;
  if (mask === false) return new Uint32Array(0);
  if (picked !== null) return picked.filter((row) => mask[row] === 1);
  const out = new Uint32Array(bitsOf(mask));
  let n = 0;
  for (let row = 0; row < rows; row++) if (mask[row] === 1) out[n++] = row;
  return out;
}
