import type { TaskFailure } from '../contract/worker-protocol.ts';

/** Where frames go while the link is up. */
export interface Wire {
  send(frame: string): void;
  /** Resolves when the master has received all that was sent before, and never where the link breaks. */
  confirm(received: () => void): void;
}

export interface Reporter {
  start(id: string, attempt: number, at: number): void;
  done(id: string, attempt: number, startedAt: number, at: number, output: string, port?: 'true' | 'false'): void;
  fail(id: string, attempt: number, startedAt: number | null, at: number, error: TaskFailure): void;
  /** A part of the list of a forEach; `items` is the JSON text of an array. */
  items(id: string, attempt: number, startedAt: number, at: number, part: { first: number; items: string; more: boolean }): void;
  /** Leases whose end was not yet received by the master. */
  unconfirmed(): { id: string; attempt: number }[];
  /** The link is up: everything that was not received before goes out again. */
  attach(wire: Wire): void;
  detach(): void;
  /** Sends what is waiting now. */
  flush(): void;
}

interface Item {
  text: string;
  ends: { id: string; attempt: number } | null;
}

const FRAME_CHARS = 4 * 1024 * 1024;
const CONFIRM_MS = 250;

/**
 * Batches reports: all of one turn of the event loop share a frame. A report is kept until the master has received it,
 * so one that was on its way when the link broke goes out again; the lease makes a second arrival harmless.
 */
export function createReporter(): Reporter {
  let wire: Wire | null = null;
  let waiting: Item[] = [];
  let sent: Item[] = [];
  let flushing = false;
  let confirming: NodeJS.Timeout | null = null;

  function push(text: string, ends: Item['ends']): void {
    waiting.push({ text, ends });
    if (flushing) return;
    flushing = true;
    setImmediate(flush);
  }

  function flush(): void {
    flushing = false;
    if (wire === null || waiting.length === 0) return;
    for (let from = 0; from < waiting.length; ) {
      let chars = 0;
      let to = from;
      while (to < waiting.length && (to === from || chars < FRAME_CHARS)) chars += (waiting[to++] as Item).text.length;
      let frame = '{"t":"report","items":[';
      for (let i = from; i < to; i++) frame += i === from ? (waiting[i] as Item).text : `,${(waiting[i] as Item).text}`;
      wire.send(`${frame}]}`);
      from = to;
    }
    if (sent.length === 0) sent = waiting;
    else for (const item of waiting) sent.push(item);
    waiting = [];
    confirming ??= setTimeout(confirm, CONFIRM_MS).unref();
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
    start: (id, attempt, at) => push(`{"e":"start","id":${JSON.stringify(id)},"attempt":${attempt},"at":${at}}`, null),
    done: (id, attempt, startedAt, at, output, port) =>
      push(`{"e":"done","id":${JSON.stringify(id)},"attempt":${attempt},"startedAt":${startedAt},"at":${at},"output":${output}${port === undefined ? '' : `,"port":"${port}"`}}`, { id, attempt }),
    fail: (id, attempt, startedAt, at, error) => push(`{"e":"fail","id":${JSON.stringify(id)},"attempt":${attempt},"startedAt":${startedAt},"at":${at},"error":${JSON.stringify(error)}}`, { id, attempt }),
    items: (id, attempt, startedAt, at, { first, items, more }) =>
      push(`{"e":"items","id":${JSON.stringify(id)},"attempt":${attempt},"startedAt":${startedAt},"at":${at},"first":${first},"items":${items},"more":${more}}`, more ? null : { id, attempt }),
    unconfirmed: () => [...sent, ...waiting].flatMap(({ ends }) => (ends ? [ends] : [])),
    attach(next) {
      wire = next;
      flush();
    },
    detach() {
      wire = null;
      if (confirming) clearTimeout(confirming);
      confirming = null;
      waiting = sent.concat(waiting);
      sent = [];
    },
    flush,
  };
}
