import { createServer, type Server, type Socket } from 'node:net';
import { portOf } from '../../../lib/listen-on-port.ts';
import { AUTH, beginningOf, HANDSHAKE } from './beginning.ts';
import { isFromThisMachine } from './this-machine.ts';
import { createClaims, type Claims } from './claims.ts';
import type { UnfinishedBytes } from './framing.ts';
import type { Answer, IdentifySender, Question, SenderIdentity } from './port.ts';
import type { Sender } from './normalise.ts';
import { createLineReader } from './reading.ts';

export interface IntakeOptions {
  host: string;
  lineBytes: number;
  /** Bytes of unfinished lines over all connections. */
  heldBytes: number;
  connections: number;
  /** From one address of another machine. */
  connectionsPerAddress: number;
  /** Time for the first line where a token is required; elsewhere who was silent for longer gives way where there is no room. */
  firstLineMs: number;
  /** Certificate and key (PEM); with them TLS is spoken to whoever begins with it. */
  tls: { cert: string | Buffer; key: string | Buffer; required: boolean } | null;
  /** Only who begins with a valid `AUTH <token>` may write, and, where there is TLS, over TLS or from this machine. */
  tokenRequired: boolean;
  /** Null: nobody here knows tokens; an `AUTH` line is then skipped. */
  identify: IdentifySender | null;
  /** What the workers of a token may say of their lines. */
  vouch(tokenId: string, question: Question): Promise<Answer>;
  now(): number;
  /** Takes events, each JSON text with its newline. */
  take(events: string[]): void;
}

export interface Intake {
  listen(port: number, shared: boolean): Promise<number>;
  pause(): void;
  resume(): void;
  readonly counts: {
    truncated: number;
    unparsed: number;
    forged: number;
    foreign: number;
    unauthorized: number;
    crowded: number;
  };
  readonly connections: number;
  /** Hangs up on whoever came with one of these tokens. */
  endTokens(ids: readonly string[]): void;
  /** Hangs up; what was received is taken first. */
  close(): Promise<void>;
}

const NOTHING = Buffer.alloc(0);
const NEWLINE = 10;
/** The longest line with a token. */
const AUTH_BYTES = 4096;
/** Time that a client has for its handshake. */
const HANDSHAKE_MS = 10_000;

/** Reads lines from any number of TCP connections. There is no acknowledgement; who sends too much is read more slowly. */
export function createIntake(options: IntakeOptions): Intake {
  /** Those that lines are read from. */
  const sockets = new Set<Socket>();
  /** Those that have yet to begin, and what lies under each with TLS. */
  const under = new Set<Socket>();
  /** Those that have sent nothing since that time, the oldest first. */
  const silent = new Map<Socket, number>();
  const perAddress = new Map<string, number>();
  /** The token that each of them came with. */
  const tokens = new Map<Socket, string>();
  /** What is known of each worker token, while it has connections. */
  const claims = new Map<string, Claims>();
  /** Lines that wait for an answer. */
  const unanswered = new Set<Promise<void>>();
  let open = 0;
  const held: UnfinishedBytes = { bytes: 0, most: options.heldBytes };
  const counts = { truncated: 0, unparsed: 0, forged: 0, foreign: 0, unauthorized: 0, crowded: 0 };
  let paused = false;
  let ended = false;
  const tls = options.tls
    ? process
        .getBuiltinModule('node:tls')
        .createServer({ cert: options.tls.cert, key: options.tls.key, handshakeTimeout: HANDSHAKE_MS }, (socket) =>
          serve(socket),
        )
    : null;
  // A handshake that fails ends its connection and nothing else.
  tls?.on('tlsClientError', () => {});

  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    if (!isRoomFor(socket)) return refuse(socket, 'crowded');
    count(socket);
    if (tls === null) return serve(socket);
    const timer = options.tls?.required || options.tokenRequired ? firstLineTimer(socket) : null;
    const first = (chunk: Buffer) => {
      if (timer) clearTimeout(timer);
      socket.pause();
      socket.unshift(chunk);
      if (chunk[0] === HANDSHAKE) {
        silent.delete(socket);
        tls.emit('connection', socket);
      } else if (options.tls?.required) socket.destroy();
      else if (options.tokenRequired && !isFromThisMachine(socket)) refuse(socket, 'unauthorized');
      else {
        under.delete(socket);
        serve(socket);
      }
    };
    under.add(socket);
    socket.once('close', () => {
      under.delete(socket);
      if (timer) clearTimeout(timer);
    });
    socket.once('data', first);
  });

  function count(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const isOwn = isFromThisMachine(socket);
    open++;
    if (!isOwn) perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    silent.set(socket, performance.now());
    socket.once('close', () => {
      open--;
      silent.delete(socket);
      if (isOwn) return;
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
  }

  function isRoomFor(socket: Socket): boolean {
    if ((perAddress.get(socket.remoteAddress ?? '') ?? 0) >= options.connectionsPerAddress) return false;
    if (open < options.connections) return true;
    // While nobody is read, nobody can be heard.
    if (paused) return false;
    const [oldest] = silent;
    if (oldest === undefined || performance.now() - oldest[1] < options.firstLineMs) return false;
    silent.delete(oldest[0]);
    refuse(oldest[0], 'crowded');
    return true;
  }

  const firstLineTimer = (socket: Socket) =>
    setTimeout(() => !socket.destroyed && refuse(socket, 'crowded'), options.firstLineMs);

  function refuse(socket: Socket, why: 'foreign' | 'unauthorized' | 'crowded'): void {
    counts[why]++;
    socket.destroy();
  }

  /** Nothing more of it is read until something is known. */
  function stopReading(socket: Socket): void {
    if (socket.destroyed) return;
    socket.pause();
    sockets.delete(socket);
    under.add(socket);
  }
  function readOn(socket: Socket): void {
    under.delete(socket);
    if (socket.destroyed) return;
    sockets.add(socket);
    if (!paused) socket.resume();
  }

  /** Asks whose token this is. */
  function admit(
    socket: Socket,
    identify: IdentifySender,
    secret: string,
    admitted: (identity: SenderIdentity) => void,
  ): void {
    stopReading(socket);
    const answered = (identity: SenderIdentity | null) => {
      under.delete(socket);
      if (ended) return;
      if (identity === null) return refuse(socket, 'unauthorized');
      // Who has hung up by now has said what it had to say.
      if (!socket.destroyed) tokens.set(socket, identity.tokenId);
      readOn(socket);
      admitted(identity);
    };
    const from = {
      address: socket.remoteAddress?.replace(/^::ffff:/, '') ?? null,
      isLocal: isFromThisMachine(socket),
    };
    identify(secret, from).then(answered, () => answered(null));
  }

  function claimsOf({ tokenId, role }: SenderIdentity): Claims | null {
    if (role !== 'worker') return null;
    let known = claims.get(tokenId);
    if (!known) {
      known = createClaims((question) => options.vouch(tokenId, question), counts, options.now);
      claims.set(tokenId, known);
    }
    return known;
  }
  function forget(socket: Socket): void {
    const token = tokens.get(socket);
    tokens.delete(socket);
    if (token !== undefined && ![...tokens.values()].includes(token)) claims.delete(token);
  }

  function serve(socket: Socket): void {
    // The line with the token is read also while no others are: its time is short.
    const unread = options.tokenRequired ? under : sockets;
    unread.add(socket);
    const sender: Sender = {
      address: `tcp:${(socket.remoteAddress ?? 'unknown').replace(/^::ffff:/, '')}`,
      assigned: new Map(),
      claims: null,
    };
    const reader = createLineReader({
      sender,
      lineBytes: options.lineBytes,
      held,
      counts,
      now: options.now,
      give: options.take,
      hold(answered) {
        stopReading(socket);
        unanswered.add(answered);
        void answered.then(() => {
          unanswered.delete(answered);
          readOn(socket);
        });
      },
    });
    const timer = options.tokenRequired ? firstLineTimer(socket) : null;
    /** The first bytes, while they do not yet say what begins here. */
    let beginning: Buffer | null = NOTHING;
    const begin = (bytes: Buffer) => {
      const kind = beginningOf(bytes);
      const end = kind === 'auth' ? bytes.indexOf(NEWLINE) : 0;
      beginning = kind === 'undecided' || end < 0 ? bytes : null;
      if (beginning !== null && bytes.length <= AUTH_BYTES) return;
      if (timer) clearTimeout(timer);
      silent.delete(socket);
      if (kind === 'foreign') return refuse(socket, 'foreign');
      if (kind === 'lines' && !options.tokenRequired) return reader.take(bytes);
      if (kind !== 'auth' || end < 0 || end > AUTH_BYTES) return refuse(socket, 'unauthorized');
      const rest = bytes.subarray(end + 1);
      if (options.identify === null) return options.tokenRequired ? refuse(socket, 'unauthorized') : reader.take(rest);
      const secret = bytes.toString('utf8', AUTH.length, end).trim();
      admit(socket, options.identify, secret, (identity) => {
        sender.claims = claimsOf(identity);
        reader.take(rest);
        if (socket.destroyed) reader.end();
      });
    };
    socket.on('data', (chunk: Buffer) => {
      if (beginning !== null) return begin(beginning.length === 0 ? chunk : Buffer.concat([beginning, chunk]));
      reader.take(chunk);
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      under.delete(socket);
      forget(socket);
      if (timer) clearTimeout(timer);
      // What ends before it is known whether it is a line, is one.
      if (beginning !== null && !options.tokenRequired && beginningOf(beginning) === 'undecided')
        reader.take(beginning);
      reader.end();
    });
    if (paused && !options.tokenRequired) socket.pause();
    else socket.resume();
  }

  return {
    listen: (port, shared) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host: options.host, reusePort: shared }, () => {
          server.off('error', reject);
          server.on('error', () => {});
          resolve(portOf(server));
        });
      }),
    pause() {
      paused = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      if (!paused) return;
      paused = false;
      for (const socket of sockets) socket.resume();
    },
    counts,
    get connections() {
      return open;
    },
    endTokens(ids) {
      for (const [socket, id] of tokens) if (ids.includes(id)) socket.destroy();
    },
    async close() {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const all = () => [...sockets, ...under];
      for (const socket of all()) socket.destroySoon();
      // Who does not take the farewell is cut.
      const timer = setTimeout(() => all().forEach((socket) => socket.destroy()), 1000);
      await closed;
      while (unanswered.size > 0) await Promise.all(unanswered);
      ended = true;
      clearTimeout(timer);
    },
  };
}
