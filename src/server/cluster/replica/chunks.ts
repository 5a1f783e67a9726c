import { constants, zstdCompressSync } from 'node:zlib';

const CHECKED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** A part of a snapshot as it is kept: with a checksum, without which zstd would give back other bytes for a flipped bit now and then. */
export const compressChunk = (bytes: Uint8Array): Buffer => zstdCompressSync(bytes, CHECKED);
