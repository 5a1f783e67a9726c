import type { ReportedFailure } from '../contract/worker-protocol.ts';

/** Where frames go while the link is up. */
export interface FrameSink {
  /** The bytes of a frame, which stay as they are. */
  send(frame: Buffer): void;
  /** Resolves when the master has received all that was sent before, and never where the link breaks. */
  confirm(received: () => void): void;
}

/** Some of the items of a forEach; `items` is the JSON text of an array. */
export interface ItemsChunk {
  first: number;
  items: string;
  more: boolean;
}

export interface Reporter {
  /** Told only where the end does not come in the same turn: that names the start as well. */
  start(id: string, attempt: number, at: number): void;
  done(id: string, attempt: number, startedAt: number, at: number, output: string, port?: 'true' | 'false'): void;
  fail(id: string, attempt: number, startedAt: number | null, at: number, error: ReportedFailure): void;
  items(id: string, attempt: number, startedAt: number, at: number, chunk: ItemsChunk): void;
  /** Leases whose end was not yet received by the master. */
  unconfirmed(): { id: string; attempt: number }[];
  /** The link is up: everything that was not received before goes out again. */
  attach(sink: FrameSink): void;
  detach(): void;
  /** Sends what is waiting now. */
  flush(): void;
}

const FRAME_CHARS = 4 * 1024 * 1024;
const CONFIRM_MS = 250;
/** As many ends go out before the turn is over: the master stores them while the others still run. */
const EARLY_ENDS = 64;
/** Of one chunk of items: the master reads it in about a millisecond. */
const CHUNK_ITEMS = 500;
const CHUNK_CHARS = 64 * 1024;

interface ReportedItem {
  e: string;
  id: string;
  attempt: number;
  more?: boolean;
}

/**
 * Batches reports: those of one turn of the event loop share a frame, up to `EARLY_ENDS`. A frame is kept, as bytes, until the master
 * has received it, so one that was on its way when the link broke goes out again; the lease makes a second arrival harmless.
 */
export function createReporter(): Reporter {
  let wire: FrameSink | null = null;
  /** Items of the next frame, with commas between. */
  let pending = '';
  let pendingItems = 0;
  const begun = new Map<string, { attempt: number; at: number }>();
  let whole: Buffer[] = [];
  let sent: Buffer[] = [];
  let flushing = false;
  let confirming: NodeJS.Timeout | null = null;

  function wake(): void {
    if (flushing) return;
    flushing = true;
    setImmediate(flush);
  }

  function push(text: string): void {
    pending = pending === '' ? text : `${pending},${text}`;
    if (++pendingItems >= EARLY_ENDS || pending.length > FRAME_CHARS) {
      seal();
      send();
    }
    wake();
  }

  function end(id: string, attempt: number, text: string): void {
    const start = begun.get(id);
    if (start?.attempt === attempt) begun.delete(id);
    push(text);
  }

  function seal(): void {
    if (pending !== '') whole.push(Buffer.from(`{"t":"report","items":[${pending}]}`));
    pending = '';
    pendingItems = 0;
  }

  function flush(): void {
    flushing = false;
    // After the ends: a task of a chain begins where the one before it has ended.
    for (const [id, { attempt, at }] of begun)
      pending += `${pending === '' ? '' : ','}{"e":"start","id":${JSON.stringify(id)},"attempt":${attempt},"at":${at}}`;
    begun.clear();
    if (wire === null) return;
    seal();
    send();
  }

  function send(): void {
    if (wire === null) return;
    for (const frame of whole) {
      wire.send(frame);
      sent.push(frame);
    }
    whole = [];
    if (sent.length > 0) confirming ??= setTimeout(confirm, CONFIRM_MS).unref();
  }

  function confirm(): void {
    const count = sent.length;
    const asked = wire;
    asked?.confirm(() => {
      if (wire !== asked) return;
      sent = sent.slice(count);
      confirming = sent.length > 0 ? setTimeout(confirm, CONFIRM_MS).unref() : null;
    });
  }

  return {
    start(id, attempt, at) {
      begun.set(id, { attempt, at });
      wake();
    },
    done: (id, attempt, startedAt, at, output, port) =>
      end(
        id,
        attempt,
        `{"e":"done","id":${JSON.stringify(id)},"attempt":${attempt},"startedAt":${startedAt},"at":${at},"output":${output}${port === undefined ? '' : `,"port":"${port}"`}}`,
      ),
    fail: (id, attempt, startedAt, at, error) =>
      end(
        id,
        attempt,
        `{"e":"fail","id":${JSON.stringify(id)},"attempt":${attempt},"startedAt":${startedAt},"at":${at},"error":${JSON.stringify(error)}}`,
      ),
    items: (id, attempt, startedAt, at, { first, items, more }) =>
      end(
        id,
        attempt,
        `{"e":"items","id":${JSON.stringify(id)},"attempt":${attempt},"startedAt":${startedAt},"at":${at},"first":${first},"items":${items},"more":${more}}`,
      ),
    unconfirmed() {
      const frames = [...sent, ...whole].map((frame) => frame.toString());
      const told = [...frames, `{"items":[${pending}]}`].flatMap((text): ReportedItem[] => JSON.parse(text).items);
      return told.filter(({ e, more }) => e !== 'start' && more !== true).map(({ id, attempt }) => ({ id, attempt }));
    },
    attach(next) {
      wire = next;
      flush();
    },
    detach() {
      wire = null;
      if (confirming) clearTimeout(confirming);
      confirming = null;
      whole = sent.concat(whole);
      sent = [];
    },
    flush,
  };
}

/** The chunks in which the items of a forEach are reported: `first` is the index of the first item. There is at least one. */
export function splitItems(texts: readonly string[]): ItemsChunk[] {
  const chunks: ItemsChunk[] = [];
  let at = 0;
  do {
    const first = at;
    let characters = 0;
    while (at < texts.length && at - first < CHUNK_ITEMS && (at === first || characters < CHUNK_CHARS))
      characters += texts[at++]?.length ?? 0;
    chunks.push({ first, items: `[${texts.slice(first, at).join(',')}]`, more: at < texts.length });
  } while (at < texts.length);
  return chunks;
}
