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
  frame(frame: Exclude<TakenFrame, Hello>): void;
  /** The worker asks for a receipt of its frames so far. */
  receipt(give: () => void): void;
  closed(): void;
  /** Takes large frames; null: they are parsed here. */
  readonly offload: Pick<Offload, 'call'> | null;
  onError(error: unknown): void;
}

/** A socket that says nothing for so long after it was opened is closed. */
const HELLO_MS = 10_000;
const CLOSE_BAD_FRAME = 1008;

/** Speaks the worker protocol over one socket: hello first, then frames. What breaks the protocol ends the link, told why. */
export function openLink(socket: WebSocket, events: LinkEvents): void {
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
    close: (code, reason) => socket.close(code, reason),
    refuse,
    cut: () => socket.terminate(),
  };

  function write(text: string) {
    if (socket.readyState === socket.OPEN) socket.send(text);
  }

  function refuse(code: Extract<MasterFrame, { t: 'refuse' }>['code'], message: string) {
    link.send({ t: 'refuse', code, message });
    socket.close(CLOSE_REFUSED, code);
  }

  function take(frame: TakenFrame) {
    if (frame.t !== 'hello') {
      if (greeted) events.frame(frame);
      else refuse('BAD_HELLO', `the first frame must be "hello", got "${frame.t}"`);
      return;
    }
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
    if (greeted) socket.close(CLOSE_BAD_FRAME, error.message.slice(0, 120));
    else refuse('BAD_HELLO', error.message);
  }

  const inbox = createInbox({
    take,
    refused,
    offload: events.offload,
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
