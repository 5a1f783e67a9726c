/** What became of a batch. */
export interface Ack {
  stored: number;
  skipped: number;
}

/** Batches are remembered so long, and so many of them: a sender that tries again does so within seconds, or at its next start. */
export const SEEN_MS = 7 * 86_400_000;
const MOST = 200_000;

/** The batches that were stored lately, by id. */
export function createSeen() {
  const acks = new Map<string, Ack>();
  return {
    get: (id: string): Ack | undefined => acks.get(id),
    add(id: string, ack: Ack): void {
      acks.set(id, ack);
      if (acks.size > MOST) acks.delete(acks.keys().next().value as string);
    },
  };
}
