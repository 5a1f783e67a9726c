/** A body of somebody whom nobody knows yet, as it arrives. */
export interface Stranger {
  grow(bytes: number): void;
  /** It is whole, or given up. */
  leave(): void;
}

export interface Strangers {
  /** `cut` is called where it has to give way. */
  enter(address: string | null, cut: () => void): Stranger;
}

/** What they may take in all. */
export const STRANGERS_BYTES = 64 * 1024 * 1024;

interface Body {
  readonly group: string;
  readonly cut: () => void;
  bytes: number;
}

/**
 * What bodies of strangers take while they arrive, in all. Where that is more than `most`, the oldest body of the group of addresses
 * with the most gives way: so many slow senders take neither the memory nor, being few or of one place, the room of others.
 *
 * @param groupOf the addresses that count as one sender
 */
export function createStrangers(most: () => number, groupOf: (address: string | null) => string): Strangers {
  // In the order of age.
  const bodies = new Set<Body>();
  const groups = new Map<string, number>();
  let held = 0;

  function count(body: Body, bytes: number): void {
    held += bytes;
    body.bytes += bytes;
    const of = (groups.get(body.group) ?? 0) + bytes;
    if (of > 0) groups.set(body.group, of);
    else groups.delete(body.group);
  }

  function remove(body: Body): void {
    if (bodies.delete(body)) count(body, -body.bytes);
  }

  /** Of whoever has the most. */
  function oldest(): Body | undefined {
    let [largest, size] = ['', -1];
    for (const [group, bytes] of groups) if (bytes > size) [largest, size] = [group, bytes];
    for (const body of bodies) if (body.group === largest && body.bytes > 0) return body;
    return undefined;
  }

  return {
    enter(address, cut) {
      const body: Body = { group: groupOf(address), cut, bytes: 0 };
      bodies.add(body);
      return {
        grow(bytes) {
          if (!bodies.has(body)) return;
          count(body, bytes);
          while (held > most()) {
            const given = oldest();
            if (!given) return;
            remove(given);
            given.cut();
          }
        },
        leave: () => remove(body),
      };
    },
  };
}
