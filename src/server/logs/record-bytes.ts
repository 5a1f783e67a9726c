import type { Limits } from '../../contract/limits.ts';

const FRAME_BYTES = 65_536;
/** `\u0007`: what one byte of text becomes at most. */
const ESCAPED = 6;

/** Bytes of one record as JSON: a line of the pipeline was cut to `logLineBytes` before its characters were escaped and its other fields were added. */
export const recordBytes = ({ logLineBytes }: Readonly<Pick<Limits, 'logLineBytes'>>): number =>
  logLineBytes * ESCAPED + FRAME_BYTES;
