import { createFramer, type UnfinishedBytes } from './framing.ts';
import { eventsOf, textEvent, type LineEvent, type Sender } from './normalise.ts';

export interface LineReader {
  take(bytes: Buffer): void;
  /** The connection has ended: what stands without a newline is a line too. */
  end(): void;
}

/**
 * The lines of one connection, in their order. Where the master has to be asked what a line may say, `hold` is told to
 * read nothing more until the answer is there: at most what came in one piece waits for it.
 */
export function createLineReader({
  sender,
  lineBytes,
  held,
  counts,
  now,
  give,
  hold,
}: {
  sender: Sender;
  lineBytes: number;
  held: UnfinishedBytes;
  counts: { truncated: number; unparsed: number };
  now(): number;
  /** Takes events, each JSON text with its newline. */
  give(events: string[]): void;
  /** Until the answer is there. */
  hold(answered: Promise<void>): void;
}): LineReader {
  let events: LineEvent[] = [];
  let isAsking = false;

  function push(event: LineEvent): void {
    events.push(typeof event === 'string' ? `${event}\n` : event);
  }
  const framer = createFramer(lineBytes, held, (line, cut) => {
    if (!cut) return eventsOf(line, sender, now(), counts).forEach(push);
    counts.truncated++;
    push(textEvent(line, sender, now(), '_linetoolong'));
  });

  function flush(): void {
    if (isAsking || events.length === 0) return;
    const given = events;
    events = [];
    if (given.every((event) => typeof event === 'string')) return give(given);
    isAsking = true;
    const asked = sender.claims?.ask() ?? Promise.resolve();
    hold(
      asked.then(() => {
        isAsking = false;
        give(given.map((event) => (typeof event === 'string' ? event : `${event()}\n`)));
        flush();
      }),
    );
  }

  return {
    take(bytes) {
      framer.take(bytes);
      flush();
    },
    end() {
      framer.end();
      flush();
    },
  };
}
