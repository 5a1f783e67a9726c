import type { Change } from '../../feed/port.ts';
import { sseEvent, type EventStream } from './sse.ts';

/** Entities that may wait for one reader; with more it is told to start over. */
const MAX_PENDING = 2000;
const MAX_REMEMBERED = 20_000;
/** A flood that no reader can follow makes it start over, but not all the time. */
const RESET_GAP_MS = 2000;

interface Pending {
  readonly kind: Change['kind'];
  readonly id: string;
  /** Sequence of its first change that was not sent: everything before the smallest of these was. */
  readonly first: number;
}

/** Text of an entity's event as it is now; null where nothing is to be told. */
export type Summarize = (kind: Change['kind'], id: string) => Promise<string | null>;

/**
 * One reader of the live stream. Changes of one entity are merged while they wait, so that it is told at most
 * `perSecond` times a second and a slow reader costs no more than a list of names.
 */
export function createStreamClient(
  stream: EventStream,
  perSecond: number,
  sequence: () => number,
  /** What somebody with grants is told of it; null: nothing. */
  shown: ((kind: Change['kind'], text: string) => Promise<string | null>) | null = null,
) {
  const gap = 1000 / perSecond;
  const pending = new Map<string, Pending>();
  const sentAt = new Map<string, number>();
  let resetDue = false;
  let resetAt = 0;
  /** The last change that came in. */
  let seen = sequence();

  function startOver(): void {
    pending.clear();
    sentAt.clear();
    resetDue = true;
  }

  return {
    take(changes: readonly Change[]): void {
      seen = changes.at(-1)?.sequence ?? seen;
      if (resetDue) return;
      for (const { kind, id, sequence: first } of changes) {
        const key = `${kind}:${id}`;
        if (!pending.has(key)) pending.set(key, { kind, id, first });
      }
      if (pending.size > MAX_PENDING) startOver();
    },
    startOver,
    get idle(): boolean {
      return pending.size === 0 && !resetDue;
    },

    /** Sends what is due at `now`, at most `most` entities. */
    async flush(now: number, most: number, summarize: Summarize): Promise<void> {
      if (!stream.ready || stream.closed.aborted) return;
      if (resetDue) {
        if (now - resetAt < RESET_GAP_MS) return;
        resetDue = false;
        resetAt = now;
        stream.write(sseEvent('{}', 'reset', sequence()));
        return;
      }
      if (sentAt.size > MAX_REMEMBERED) for (const [key, at] of sentAt) if (now - at >= gap) sentAt.delete(key);
      const due: Pending[] = [];
      for (const [key, entry] of pending) {
        if (due.length >= most) break;
        if (now - (sentAt.get(key) ?? 0) < gap) continue;
        due.push(entry);
        pending.delete(key);
        sentAt.set(key, now);
      }
      const atLeast = seen;
      const oldest = pending.values().next().value?.first;
      const texts = await Promise.all(
        due.map(async ({ kind, id }) => {
          const text = await summarize(kind, id);
          return text === null || shown === null ? text : shown(kind, text).catch(() => null);
        }),
      );
      let out = '';
      due.forEach(({ kind }, i) => {
        const text = texts[i];
        if (text === null || text === undefined) return;
        // To resume after an id must lose nothing: it stands before whatever was not sent yet.
        const following = Math.min(due[i + 1]?.first ?? Number.POSITIVE_INFINITY, oldest ?? Number.POSITIVE_INFINITY);
        out += sseEvent(text, kind, following === Number.POSITIVE_INFINITY ? atLeast : following - 1);
      });
      if (out !== '') stream.write(out);
    },
  };
}

export type StreamClient = ReturnType<typeof createStreamClient>;
