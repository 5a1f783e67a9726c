/** Keeps what was used last, up to so many bytes. */
export interface Cache {
  get<T>(key: string, make: () => { value: T; bytes: number }): T;
  readonly bytes: number;
}

export function createCache(most: number): Cache {
  const entries = new Map<string, { value: unknown; bytes: number }>();
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    get<T>(key: string, make: () => { value: T; bytes: number }): T {
      const known = entries.get(key);
      if (known) {
        // Moved to the end: the entries at the front go first.
        entries.delete(key);
        entries.set(key, known);
        return known.value as T;
      }
      const made = make();
      entries.set(key, made);
      bytes += made.bytes;
      for (const [old, entry] of entries) {
        if (bytes <= most || old === key) break;
        entries.delete(old);
        bytes -= entry.bytes;
      }
      return made.value;
    },
  };
}
