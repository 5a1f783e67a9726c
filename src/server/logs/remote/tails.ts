import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { BACKOFF, createBackoff } from '../../../lib/backoff.ts';
import type { LogFilter } from '../port.ts';
import type { LogsClient } from './client.ts';
import { questionOf } from './query.ts';
import { recordOf, seenLines } from './records.ts';

/** Those who follow what arrives. Each holds a request open; one that ends is made again, from a little before its last line. */
export interface RemoteTails {
  add(id: number, filter: LogFilter): void;
  remove(id: number): void;
  close(): void;
}

/** Lines that one follower remembers, to be given none twice where looks overlap. */
const REMEMBERED = 20_000;
/** The first request looks back a little: lines may have come while it was on its way. */
const START_MS = 1000;
/** A request that is made again looks back so much further, and no further than this in all. */
const OVERLAP_MS = 5000;
const BACK_MS = 300_000;
/** Records, and characters of them, that one follower is given in one go: what takes them in rests in between. */
const MOST = 500;
const MAX_CHARS = 256 * 1024;

export function createRemoteTails(
  client: Pick<LogsClient, 'tail'>,
  deliver: (id: number, records: readonly string[]) => void,
  removed: () => void,
): RemoteTails {
  const tails = new Map<number, AbortController>();

  async function follow(id: number, filter: LogFilter, signal: AbortSignal): Promise<void> {
    const began = Date.now();
    const seen = seenLines(REMEMBERED);
    const backoff = createBackoff(BACKOFF.logTail);
    /** When it was last known to be followed without a gap. */
    let until = began;
    while (!signal.aborted) {
      const now = Date.now();
      const backMs = Math.min(BACK_MS, now - until + (until === began ? START_MS : OVERLAP_MS));
      try {
        const question = questionOf(filter, now, 0);
        const opened = () => backoff.reset();
        for await (const lines of client.tail(question, backMs, opened, signal)) {
          until = Date.now();
          give(id, lines, seen);
        }
      } catch {
        // The client has told of it; here it is only tried again.
      }
      await delay(backoff.next(), null, { signal, ref: false }).catch(() => {});
    }
  }

  function give(id: number, lines: readonly string[], seen: ReturnType<typeof seenLines>): void {
    let texts: string[] = [];
    let chars = 0;
    const send = () => {
      if (texts.length > 0) deliver(id, texts);
      [texts, chars] = [[], 0];
    };
    for (const line of lines) {
      const record = recordOf(line);
      if (!seen.isNew(record.id ?? hash('sha1', line, 'base64'))) {
        if (record.id !== null) removed();
        continue;
      }
      if (texts.length === MOST || chars + record.text.length > MAX_CHARS) send();
      texts.push(record.text);
      chars += record.text.length;
    }
    send();
  }

  return {
    add(id, filter) {
      questionOf(filter, Date.now(), 0);
      const ended = new AbortController();
      tails.set(id, ended);
      void follow(id, filter, ended.signal);
    },
    remove(id) {
      tails.get(id)?.abort();
      tails.delete(id);
    },
    close() {
      for (const ended of tails.values()) ended.abort();
      tails.clear();
    },
  };
}
