/** The buffer of bytes that share it with no others: it can be handed over to another thread. */
export const ownBuffer = (value: unknown): ArrayBuffer[] =>
  value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
    ? [value.buffer]
    : [];

/**
 * Gives the memory of bytes that nobody reads any more back at once, unless they share it with others or have been handed over. Else it waits until V8 collects
 * garbage, for which there have to be tens of megabytes.
 */
export function releaseBytes(bytes: Uint8Array): void {
  // None are left of what was handed over.
  if (bytes.byteLength > 0) for (const buffer of ownBuffer(bytes)) buffer.transfer(0);
}
