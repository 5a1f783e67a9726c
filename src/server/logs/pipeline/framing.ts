/** Bytes of unfinished lines over all connections. */
export interface UnfinishedBytes {
  bytes: number;
  readonly most: number;
}

export interface Framer {
  take(chunk: Buffer): void;
  /** The connection has ended: what stands without a newline is a line too. */
  end(): void;
}

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

/**
 * Cuts a stream of bytes into lines at `\n`. A line over `lineBytes`, or one that finds no room among the unfinished
 * lines of all connections, is passed on truncated, with `cut` (`reading.ts` tags it); its rest is skipped up to the next newline.
 */
export function createFramer(
  lineBytes: number,
  held: UnfinishedBytes,
  give: (line: string, cut: boolean) => void,
): Framer {
  let store = NOTHING;
  let length = 0;
  let skipping = false;

  function drop(): void {
    held.bytes -= store.length;
    store = NOTHING;
    length = 0;
  }
  function whole(last: Buffer): void {
    if (skipping) skipping = false;
    else if (length + last.length > lineBytes) cut(last);
    else if (length === 0) give(last.toString(), false);
    else {
      const line = Buffer.concat([store.subarray(0, length), last]).toString();
      drop();
      give(line, false);
    }
  }
  function cut(last: Buffer): void {
    const bytes = Buffer.concat([store.subarray(0, length), last.subarray(0, Math.max(0, lineBytes - length))]);
    drop();
    // Streaming leaves out half of a character at the cut.
    give(new TextDecoder().decode(bytes, { stream: true }), true);
  }
  function keep(piece: Buffer): void {
    if (skipping) return;
    const needed = length + piece.length;
    if (needed > store.length && needed <= lineBytes) {
      // Doubled, so that a line which comes byte by byte is not copied over and over.
      const size = Math.min(lineBytes, Math.max(256, needed, store.length * 2));
      if (held.bytes + size - store.length <= held.most) {
        const larger = Buffer.allocUnsafeSlow(size);
        store.copy(larger, 0, 0, length);
        held.bytes += size - store.length;
        store = larger;
      }
    }
    if (needed > store.length) {
      cut(piece);
      skipping = true;
      return;
    }
    piece.copy(store, length);
    length = needed;
  }
  return {
    take(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        whole(chunk.subarray(from, at));
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    end() {
      if (length > 0) whole(NOTHING);
      drop();
    },
  };
}
