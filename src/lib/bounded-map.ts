/** A map that lets go of what was set longest ago where it would hold more than so many. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number;
  readonly #onEvict: (value: V, key: K) => void;

  constructor(most: number, onEvict: (value: V, key: K) => void = () => {}) {
    super();
    this.#most = most;
    this.#onEvict = onEvict;
  }

  /** Sets it, as the newest of them. */
  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.#most) return this;
    for (const [oldest, gone] of this) {
      this.delete(oldest);
      this.#onEvict(gone, oldest);
      break;
    }
    return this;
  }
}

/** Remembers what `make` returned for the keys that were used last, `most` of them. */
export function rememberLast<K, V extends {} | null>(most: number, make: (key: K) => V): (key: K) => V {
  const known = new BoundedMap<K, V>(most);
  return (key) => {
    const found = known.get(key);
    const value = found === undefined ? make(key) : found;
    known.set(key, value);
    return value;
  };
}
