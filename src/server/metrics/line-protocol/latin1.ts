/** `toString('latin1')` without its detours, which cost more than the text itself where texts are short. */
export const latin1 = (bytes: Buffer, from: number, to: number): string =>
  (bytes as Buffer & { latin1Slice(from: number, to: number): string }).latin1Slice(from, to);
