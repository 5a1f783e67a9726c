import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TunnelStatus } from '../../contract/tunnels.ts';
import { errorMessage } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { portOf } from '../../lib/listen-on-port.ts';
import { IDLE, nextTunnel, tunnelStatus, type TunnelEvent, type TunnelState } from './tunnel-state.ts';

/** An open way to a master. */
export interface Link {
  /** The pod or the SSH server, as people know it. */
  readonly through: string;
  /** The master's token where the way brought it. */
  readonly token: string | null;
  /** One connection to the master; rejects where the way is lost. */
  dial(): Promise<Duplex>;
  close(): void;
}

export interface Attempt {
  /** Aborted where nobody wants it any more. */
  readonly signal: AbortSignal;
  /** The way broke after it was open. */
  lost(error: unknown): void;
}

export interface TunnelDeps {
  open(attempt: Attempt): Promise<Link>;
  /** Whether somebody must do something before another try can work. */
  isLasting(error: unknown): boolean;
  /** Calls back after so long, unless what it answers is called first. */
  after?: ((ms: number, run: () => void) => () => void) | undefined;
  onChange?: (() => void) | undefined;
}

export interface Tunnel {
  status(): TunnelStatus;
  /** Address of this end, and the token that the way brought; opens it where it never was. Null: it is not open. */
  target(): { readonly url: string; readonly token: string | null } | null;
  /** Resolves once it is open, or does not open by itself soon; never rejects. */
  settled(patienceMs: number): Promise<void>;
  retry(): void;
  close(): void;
}

const STEADY_MS = 10_000;
/** How long a connection of this end waits for a way that is being opened. */
const DIAL_PATIENCE_MS = 10_000;
/** More at a time than a console and a look at the fleet need. */
const MAX_CONNECTIONS = 64;

const timer = (ms: number, run: () => void) => {
  const one = setTimeout(run, ms);
  return () => clearTimeout(one);
};

/**
 * One way to a master, with an end on loopback that stays the same port, and this process's, however often the way itself
 * breaks and is opened anew: nobody else can take the port meanwhile and be sent the token. What reaches that end is handed on
 * as it is; the master asks for the token as everywhere.
 */
export function createTunnel({ open, isLasting, after = timer, onChange }: TunnelDeps): Tunnel {
  let state: TunnelState = IDLE;
  let link: Link | null = null;
  let server: Server | null = null;
  let attempt: AbortController | null = null;
  let cancel = () => {};
  const waiting = new Set<() => void>();
  const sockets = new Set<Socket>();

  function apply(event: TunnelEvent): void {
    const before = state;
    const { state: now, effect } = nextTunnel(state, event);
    state = now;
    if (now === before) return;
    cancel();
    cancel = () => {};
    if (now.name !== 'open') {
      link?.close();
      link = null;
    }
    if (before.name === 'connecting' && now.name !== 'open') attempt?.abort();
    if (effect?.kind === 'connect') void connect();
    if (effect?.kind === 'wait') cancel = after(effect.ms, () => apply({ kind: 'due' }));
    if (now.name === 'open' && now.failures > 0) cancel = after(STEADY_MS, () => apply({ kind: 'steady' }));
    if (now.name !== 'connecting') for (const wake of [...waiting]) wake();
    onChange?.();
  }

  async function connect(): Promise<void> {
    const own = new AbortController();
    attempt = own;
    try {
      await listening();
      if (attempt !== own) return;
      const opened = await open({
        signal: own.signal,
        lost: (error) => {
          if (attempt === own) apply({ kind: 'lost', message: errorMessage(error) });
        },
      });
      if (attempt !== own || own.signal.aborted) return opened.close();
      link = opened;
      apply({ kind: 'opened', through: opened.through });
    } catch (error) {
      if (attempt === own && !own.signal.aborted)
        apply({ kind: 'failed', message: errorMessage(error), lasting: isLasting(error) });
    }
  }

  async function listening(): Promise<void> {
    if (server !== null) return;
    const made = createServer({ pauseOnConnect: true }, (socket) => void serve(socket));
    made.maxConnections = MAX_CONNECTIONS;
    server = made;
    try {
      made.listen(0, '127.0.0.1');
      await once(made, 'listening');
    } catch (error) {
      server = null;
      throw new Fault('TUNNEL_PORT_BUSY', `no free port on this machine (${errorMessage(error)})`, { cause: error });
    }
  }

  /** Before anything was sent a second try is safe: the way may have been lost unnoticed. */
  async function serve(socket: Socket): Promise<void> {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    for (let tries = 0; tries < 2 && !socket.destroyed; tries++) {
      await settled(DIAL_PATIENCE_MS);
      const through = link;
      if (through === null) break;
      try {
        return join(socket, await through.dial());
      } catch (error) {
        if (link === through) apply({ kind: 'lost', message: errorMessage(error) });
      }
    }
    socket.destroy();
  }

  function settled(patienceMs: number): Promise<void> {
    if (state.name !== 'connecting') return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(late);
        waiting.delete(wake);
        resolve();
      };
      const late = setTimeout(wake, patienceMs);
      waiting.add(wake);
    });
  }

  return {
    status: () => tunnelStatus(state),
    settled,
    target() {
      apply({ kind: 'ask' });
      return link && server ? { url: `http://127.0.0.1:${portOf(server)}`, token: link.token } : null;
    },
    retry: () => apply({ kind: 'retry' }),
    close() {
      apply({ kind: 'close' });
      attempt?.abort();
      attempt = null;
      server?.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Whoever ends ends the other. */
function join(socket: Socket, stream: Duplex): void {
  if (socket.destroyed) return void stream.destroy();
  stream.on('error', () => socket.destroy());
  stream.once('close', () => socket.destroy());
  socket.once('close', () => stream.destroy());
  socket.pipe(stream);
  stream.pipe(socket);
}
