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
