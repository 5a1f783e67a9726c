/** What became of a batch. */
export interface Ack {
  stored: number;
  skipped: number;
}

/** A sender that tries again does so within seconds, or at its next start: so many batches are remembered, however old they are. */
export const SEEN = 50_000;
/** Those of a file that takes no more lines. */
export const SEEN_OLD = 5000;

/** The batches that were stored lately, by id. */
export function createSeen() {
  const acks = new Map<string, Ack>();
  return {
    get: (id: string): Ack | undefined => acks.get(id),
    add(id: string, ack: Ack): void {
      acks.set(id, ack);
      if (acks.size > SEEN) acks.delete(acks.keys().next().value as string);
    },
  };
}
