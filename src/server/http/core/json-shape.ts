import { Fault } from '../../../lib/fault.ts';

// Indexes are within their lists here, which `as` says: a check or a default would cost at each byte.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** A number that a double may not hold costs as much as so many other values. */
const RAW_WEIGHT = 4;

/**
 * Refuses JSON text that would hold the event loop, before it is parsed: too many values, or nested so deeply that
 * whatever walks it would run out of stack. One pass over the bytes; small bodies cannot be either.
 */
export function assertJsonShape(
  text: Uint8Array,
  { jsonDepth, jsonValues }: { jsonDepth: number; jsonValues: number },
): void {
  if (text.length <= jsonDepth) return;
  let depth = 0;
  let values = 1;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits === 16) values += RAW_WEIGHT;
      continue;
    }
    if (digits > 0 && (byte | 0x20) === 0x65) values += RAW_WEIGHT;
    digits = 0;
    if (byte === QUOTE) {
      for (i++; i < text.length && text[i] !== QUOTE; i++) if (text[i] === BACKSLASH) i++;
    } else if (byte === COMMA) values++;
    else if (byte === 0x5b || byte === 0x7b) {
      // An empty array or object is counted by the comma before it alone.
      if (text[i + 1] !== 0x5d && text[i + 1] !== 0x7d) values++;
      if (++depth > jsonDepth) throw new Fault('INVALID_JSON', `the body is nested deeper than ${jsonDepth} levels`);
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  if (values > jsonValues)
    throw new Fault(
      'BODY_TOO_LARGE',
      `the body contains more than ${jsonValues} JSON values; send fewer inputs per call`,
    );
}
