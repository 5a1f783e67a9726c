import type { Duplex } from 'node:stream';
import { setImmediate as othersTurn, setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { CLOSE_REFUSED, WORKER_PROTOCOL, type LeasedNode, type MasterFrame } from '../../contract/worker-protocol.ts';
import { toTransferable } from '../../lib/packed-inputs.ts';
import type { FrameText, Offload } from '../offload/port.ts';
import type { TakenFrame } from '../state-machines/report.ts';
import { InvalidFrame, framesFromParts, parseFrame } from './frames.ts';

export type Hello = Extract<TakenFrame, { t: 'hello' }>;

/** One socket of a worker that said hello. */
export interface Link {
  send(frame: MasterFrame): void;
  /** One frame with these leases (JSON texts), after those commits that this link has not seen. */
  run(leases: readonly string[], commits: readonly { commit: string; nodes: readonly LeasedNode[] }[]): void;
  close(code: number, reason: string): void;
  /** Ends the link for good: the worker does not come back by itself. */
  refuse(code: Extract<MasterFrame, { t: 'refuse' }>['code'], message: string): void;
  /** Without waiting for the other side. */
  cut(): void;
}

export interface LinkEvents {
  hello(hello: Hello, link: Link): void;
  /** A promise where it needs several turns of the event loop. */
  frame(frame: Exclude<TakenFrame, Hello>): Promise<void> | undefined;
  /** The worker asks for a receipt of its frames so far. */
  receipt(give: () => void): void;
  closed(): void;
  /** The worker was turned away. */
  refused(code: string, message: string): void;
  /** Takes large frames; null: they are parsed here. */
  readonly offload: Pick<Offload, 'call'> | null;
  /** Items that the list of one frame may have. */
  readonly items: number;
  onError(error: unknown): void;
}

/** A socket that says nothing for so long after it was opened is closed. */
const HELLO_MS = 10_000;
const CLOSE_BAD_FRAME = 1008;

/** Bytes from which a frame is parsed in the thread. */
const LARGE_FRAME_BYTES = 128 * 1024;
/** How long a frame waits that the thread has no room for. */
const THREAD_BUSY_MS = 50;

/** Longer texts are framed by the library. */
const SHORT_FRAME = 0x1_00_00;
const TEXT_FRAME = 0x81;

/** The head of a frame with a short text of a server (RFC 6455 §5.2), as characters of one byte. */
const frameHead = (length: number): string =>
  length < 126
    ? String.fromCharCode(TEXT_FRAME, length)
    : String.fromCharCode(TEXT_FRAME, 126, length >>> 8, length & 0xff);

/**
 * Speaks the worker protocol over one socket: hello first, then frames. What breaks the protocol ends the link, told why.
 * `raw` is the connection beneath it.
 */
export function openLink(socket: WebSocket, raw: Duplex, events: LinkEvents): void {
  let greeted = false;
  const commits = new Set<string>();
  const late = setTimeout(() => socket.close(CLOSE_BAD_FRAME, 'no "hello" frame received in time'), HELLO_MS);

  const link: Link = {
    send: (frame) => write(JSON.stringify(frame)),
    run(leases, needed) {
      for (const { commit, nodes } of needed) {
        if (commits.has(commit)) continue;
        commits.add(commit);
        write(JSON.stringify({ t: 'commit', commit, nodes: [...nodes] } satisfies MasterFrame));
      }
      write(`{"t":"run","leases":[${leases.join(',')}]}`);
    },
    close,
    refuse,
    cut: () => socket.terminate(),
  };

  function write(text: string) {
    if (socket.readyState !== socket.OPEN) return;
    // In one write: the library makes two of head and text, which costs more than the rest of a lease.
    if (text.length < SHORT_FRAME && Buffer.byteLength(text) === text.length)
      raw.write(frameHead(text.length) + text, 'latin1');
    else socket.send(text);
  }

  function close(code: number, reason: string): void {
    socket.close(code, reasonOf(reason));
  }

  function refuse(code: Extract<MasterFrame, { t: 'refuse' }>['code'], message: string) {
    link.send({ t: 'refuse', code, message });
    events.refused(code, message);
    socket.close(CLOSE_REFUSED, code);
  }

  function take(frame: TakenFrame): Promise<void> | undefined {
    if (frame.t === 'hello') greet(frame);
    else if (greeted) return events.frame(frame);
    else refuse('BAD_HELLO', `the first frame must be "hello", got "${frame.t}"`);
    return undefined;
  }

  function greet(frame: Hello) {
    if (greeted) return refuse('BAD_HELLO', 'got a second "hello" on the same link');
    if (frame.protocol !== WORKER_PROTOCOL)
      return refuse(
        'PROTOCOL_MISMATCH',
        `this master uses worker protocol version ${WORKER_PROTOCOL}, the worker version ${frame.protocol}: run the same release on both`,
      );
    greeted = true;
    clearTimeout(late);
    events.hello(frame, link);
  }

  function refused(error: unknown) {
    if (!(error instanceof InvalidFrame)) return events.onError(error);
    if (greeted) close(CLOSE_BAD_FRAME, error.message);
    else refuse('BAD_HELLO', error.message);
  }

  const inbox = createInbox({
    take,
    refused,
    offload: events.offload,
    items: events.items,
    hold: (on) => (on ? socket.pause() : socket.resume()),
  });
  socket.on('message', (data: Buffer) => inbox.data(data));
  socket.on('ping', (mark: Buffer) => {
    const pong = () => socket.pong(mark, false, () => {});
    // Without a mark the worker only asks whether the link is alive.
    if (mark.length === 0 || !greeted) pong();
    else inbox.after(() => events.receipt(pong));
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    clearTimeout(late);
    inbox.after(() => {
      events.closed();
    });
  });
}

/** What a close frame has room for, in bytes: the library throws at more, and parts of a reason may be a worker's own words. */
const REASON_BYTES = 123;

function reasonOf(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(REASON_BYTES));
  // Half of a pair would take three bytes: it was counted as one already.
  return text.slice(0, read);
}

export interface InboxDeps {
  /** Takes a frame, or a part of its list; a promise where that needs several turns of the event loop. */
  take(frame: TakenFrame): Promise<void> | undefined;
  refused(error: unknown): void;
  readonly offload: Pick<Offload, 'call'> | null;
  /** Items that the list of one frame may have. */
  readonly items: number;
  /** While a frame is taken that needs long, no more is read: what its sender is told to have been received, was taken. */
  hold(on: boolean): void;
}

/**
 * Frames of one socket in the order in which they came. Small ones are taken at once; a large one is parsed in the
 * thread and taken part by part, and those behind it wait: whatever a worker sends, it holds up no other.
 */
export function createInbox({ take, refused, offload, items, hold }: InboxDeps) {
  let behind: Promise<void> | null = null;

  async function held(step: () => Promise<void>) {
    hold(true);
    try {
      await step();
    } catch (error) {
      refused(error);
    } finally {
      hold(false);
    }
  }

  function small(data: Buffer): Promise<void> | undefined {
    try {
      const going = take(parseFrame(data.toString(), items));
      return going && held(() => going);
    } catch (error) {
      refused(error);
      return undefined;
    }
  }

  async function large(data: Buffer, thread: Pick<Offload, 'call'>) {
    for (const frame of framesFromParts(await readInThread(thread, toTransferable(data), items))) {
      if (frame) await take(frame);
      await othersTurn();
    }
  }

  function queue(step: () => void | Promise<void> | undefined) {
    const mine = (behind ?? Promise.resolve()).then(step);
    behind = mine;
    void mine.then(() => {
      if (behind === mine) behind = null;
    });
  }

  return {
    data(data: Buffer) {
      if (offload !== null && data.length >= LARGE_FRAME_BYTES) queue(() => held(() => large(data, offload)));
      else if (behind === null) {
        const going = small(data);
        if (going) queue(() => going);
      } else queue(() => small(data));
    },
    /** After the frames that came before. */
    after(step: () => void) {
      if (behind === null) step();
      else queue(step);
    },
  };
}

/** The bytes go to the thread, which nothing is copied for. One that has no room for them is asked again: a report must not be lost because the thread is busy. */
async function readInThread(offload: Pick<Offload, 'call'>, data: Uint8Array, items: number): Promise<FrameText> {
  for (;;) {
    try {
      return await offload.call('frame', { data, items }, [data]);
    } catch {
      // Whoever sent it sends it again, as it was not received; its reading may be what ended the thread.
      if (data.buffer.byteLength === 0) throw new InvalidFrame('the frame parser thread ended; send the frame again');
      await pause(THREAD_BUSY_MS);
    }
  }
}
