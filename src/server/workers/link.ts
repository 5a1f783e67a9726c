import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { CLOSE_REFUSED, WORKER_PROTOCOL, type LeasedNode, type MasterFrame } from '../../contract/worker-protocol.ts';
import type { Offload } from '../offload/port.ts';
import type { TakenFrame } from '../state-machines/report.ts';
import { InvalidFrame } from './frames.ts';
import { createInbox } from './inbox.ts';

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
