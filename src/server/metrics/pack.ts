import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Below this size a compressed text gains nothing. */
const SMALL = 1024;

/** What is kept of a text: itself, or zstd of it. */
export const packed = (text: string): string | Uint8Array => (text.length < SMALL ? text : zstdCompressSync(text));

export const unpacked = (data: string | Uint8Array): string => (typeof data === 'string' ? data : zstdDecompressSync(data).toString());
