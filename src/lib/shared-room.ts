/** Memory for bytes that other threads read while their owner waits, used again and again. */
export interface SharedRoom {
  /** Room for so many bytes, with what was there before. */
  take(bytes: number): Uint8Array<SharedArrayBuffer>;
  /** Nobody reads it any more. */
  giveBack(room: Uint8Array): void;
}

/** What is kept at most, and for how long after it was last used. */
const KEPT_BYTES = 8 * 1024 * 1024;
const KEPT_MS = 5000;
/** Room is made in steps, so that bytes of about one size fit into the same. */
const STEP = 256 * 1024;

/**
 * The system clears memory before a process has it, which takes longer than to fill it: a body of a megabyte costs a third of a
 * millisecond that way.
 */
export function createSharedRoom({ keptBytes = KEPT_BYTES, keptMs = KEPT_MS } = {}): SharedRoom {
  let kept: SharedArrayBuffer[] = [];
  let unused: NodeJS.Timeout | undefined;

  return {
    take(bytes) {
      const size = Math.max(1, Math.ceil(bytes / STEP)) * STEP;
      // Not one that is far too large: it may be needed for more.
      const at = kept.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= size * 2);
      return new Uint8Array(
        at < 0 ? new SharedArrayBuffer(size) : (kept.splice(at, 1)[0] as SharedArrayBuffer),
        0,
        bytes,
      );
    },
    giveBack({ buffer }) {
      if (!(buffer instanceof SharedArrayBuffer)) return;
      kept.push(buffer);
      for (let all = kept.reduce((sum, one) => sum + one.byteLength, 0); all > keptBytes;)
        all -= kept.shift()?.byteLength ?? 0;
      clearTimeout(unused);
      unused = setTimeout(() => (kept = []), keptMs).unref();
    },
  };
}
