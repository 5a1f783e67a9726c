import { zstdDecompressSync } from 'node:zlib';

const MAGIC = 0xfd2fb528;
/** By the two bits of a frame's descriptor that say it (RFC 8878 §3.1.1.1). */
const DICTIONARY_BYTES = [0, 1, 2, 4];

/** How long the content of the first frame of zstd is, as its header says; null: it says nothing. Throws a `RangeError`. */
function statedSize(packed: Uint8Array): number | null {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (view.getUint32(0, true) !== MAGIC)
    throw new RangeError('journal: the content of the entry is not compressed by zstd');
  const descriptor = view.getUint8(4);
  const isSingle = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingle ? 0 : 1) + (DICTIONARY_BYTES[descriptor & 3] ?? 0);
  switch (descriptor >> 6) {
    case 0:
      return isSingle ? view.getUint8(at) : null;
    case 1:
      return view.getUint16(at, true) + 256;
    case 2:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}

/**
 * Unpacks the content of an entry. What says that it is larger than `most` bytes, or turns out to be larger than it said, is
 * refused before that takes the memory. Throws a `RangeError`.
 */
export function unpack(packed: Uint8Array, most: number): Uint8Array {
  const size = statedSize(packed) ?? most;
  if (size > most)
    throw new RangeError(
      `journal: an entry of ${packed.length} bytes says that it holds ${size}, and the limit is ${most} (journalUnpackedBytes): somebody else wrote it, or a master with a higher limit did`,
    );
  try {
    return zstdDecompressSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new RangeError(`journal: an entry of ${packed.length} bytes holds more than the ${size} that it may`, {
      cause: error,
    });
  }
}
