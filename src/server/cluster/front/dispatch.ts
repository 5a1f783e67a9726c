import type { ClusterTime } from '../time.ts';

/** Who answers what comes in; `Own` is what answers where this master is the owner. */
export type DestinationOf<Own> =
  /** `whenProved` says whether it still is the owner (ownership.ts). */
  | {
      readonly kind: 'own';
      readonly server: Own;
      whenProved(told: (error: Error | null) => void): void;
      fresh(): boolean;
    }
  /** `epoch`: a master that owns the state anew has forgotten what it was asked before. */
  | { readonly kind: 'other'; readonly url: string; readonly epoch: number }
  /** Nobody that is known of: requests wait for a while, and longer where the state is being handed over. */
  | { readonly kind: 'none'; readonly isHandover: boolean };

/** A request that somebody waits for. */
export interface Exchange<Own> {
  /** Nobody waits for it any more. */
  readonly gone: boolean;
  /** How often masters of this cluster have forwarded it. */
  readonly hops: number;
  /** It does no harm where it is sent twice. */
  readonly isSafe: boolean;
  answerBy(own: Own): void;
  /** Sends it to that master. Gives what cuts it: `failed` is called then, unless it has been answered. */
  forward(url: string, told: Forwarded): () => void;
  /** It waits here for an owner: tells whoever forwarded it that nobody has begun it, and that this master is alive. */
  hold(): void;
  /** With NO_OWNER. */
  refuse(): void;
}

export interface Forwarded {
  /** There is no answer; `sent`: the other master may have got it all the same. */
  failed(sent: boolean): void;
  /** The other master holds it until it knows an owner. */
  held(): void;
  /** It is answered to its end, or nobody waits for it any more. */
  ended(): void;
}

export interface Dispatcher<Own> {
  readonly destination: DestinationOf<Own>;
  /** How many requests wait for an owner. */
  readonly waiting: number;
  /** From now on, and for what waits. */
  serveBy(destination: DestinationOf<Own>): void;
  dispatch(exchange: Exchange<Own>): void;
  /** What waits is refused, as all that comes. */
  close(): void;
}

const AGAIN_MS = 50;
/** A handover fails no request: whoever waits for its end waits so many times as long as for an owner that may have died. */
const HANDOVER_TIMES = 5;
/**
 * How long a master that is the owner no more may take for what it has: longer than one that hands over takes to answer what it
 * began. What it holds it hands on to the next owner, once that one answers.
 */
const LEFT_MS = 1500;
/** To the owner; and from one that handed over meanwhile to the next. */
const MOST_HOPS = 2;

/**
 * Decides for each request that comes to a master of a cluster who answers it, whether it waits, is sent again or is refused.
 * Without HTTP: a simulation runs it over a network and a time of its own.
 */
export function createDispatcher<Own>({
  holdMs,
  time,
}: {
  /** How long a request waits for an owner before it is refused. */
  readonly holdMs: number;
  readonly time: Pick<ClusterTime, 'steady' | 'after'>;
}): Dispatcher<Own> {
  let destination: DestinationOf<Own> = { kind: 'none', isHandover: false };
  let waiting = new Set<() => void>();
  let closing = false;
  /** What other masters have not answered yet. */
  const flights = new Set<{ readonly epoch: number; readonly cut: () => void; isLeft: boolean; isHeld: boolean }>();

  function wakeAll(): void {
    // Those that wait again are not among these.
    const again = waiting;
    waiting = new Set();
    for (const one of again) one();
  }

  /** Calls `again` once there is another destination or after a moment, `late` when it has waited long enough. */
  function hold(since: number, again: () => void, late: () => void): void {
    const times = destination.kind === 'none' && destination.isHandover ? HANDOVER_TIMES : 1;
    const leftMs = since + holdMs * times - time.steady();
    if (closing || leftMs <= 0) return late();
    const wake = (): void => {
      cancel();
      waiting.delete(wake);
      again();
    };
    const cancel = time.after(destination.kind === 'none' ? leftMs + 1 : Math.min(leftMs + 1, AGAIN_MS), wake);
    waiting.add(wake);
  }

  function answer(exchange: Exchange<Own>, since: number): void {
    if (exchange.gone) return;
    const late = (): void => exchange.refuse();
    const again = (): void => answer(exchange, since);
    const wait = (): void => {
      exchange.hold();
      hold(since, again, late);
    };
    const to = destination;
    if (to.kind === 'own') {
      if (to.fresh()) return exchange.answerBy(to.server);
      return to.whenProved((error) => {
        if (exchange.gone) return;
        if (error === null && destination === to) exchange.answerBy(to.server);
        else wait();
      });
    }
    if (to.kind === 'none') return wait();
    if (exchange.hops >= MOST_HOPS) return late();
    // What may have had an effect is not sent twice.
    forward(exchange, to, (sent) => (sent && !exchange.isSafe ? late() : wait()));
  }

  function forward(
    exchange: Exchange<Own>,
    { url, epoch }: { readonly url: string; readonly epoch: number },
    failed: (sent: boolean) => void,
  ): void {
    let isOver = false;
    const over = (): boolean => {
      const was = isOver;
      isOver = true;
      flights.delete(flight);
      return !was;
    };
    let cut = (): void => {};
    const flight = { epoch, cut: () => cut(), isLeft: false, isHeld: false };
    flights.add(flight);
    cut = exchange.forward(url, {
      failed: (sent) => over() && failed(sent),
      held: () => (flight.isHeld = true),
      ended: over,
    });
  }

  /**
   * A master that lost the state without a word may never answer, nor close its connections: what it has not answered after a
   * while is cut. One that handed over has answered by then.
   */
  function leave(epoch: number | null): void {
    for (const flight of flights) {
      if (flight.epoch === epoch || flight.isLeft) continue;
      flight.isLeft = true;
      const cutUnlessBack = (): void => {
        flight.isLeft = false;
        const isBack = destination.kind === 'other' && destination.epoch === flight.epoch;
        if (flights.has(flight) && !isBack) flight.cut();
      };
      time.after(Math.min(LEFT_MS, holdMs / 2), () => {
        if (flight.isHeld) time.after(holdMs * HANDOVER_TIMES, cutUnlessBack);
        else cutUnlessBack();
      });
    }
  }

  return {
    get destination() {
      return destination;
    },
    get waiting() {
      return waiting.size;
    },
    serveBy(next) {
      destination = next;
      if (next.kind === 'none') return;
      leave(next.kind === 'other' ? next.epoch : null);
      wakeAll();
    },
    dispatch: (exchange) => answer(exchange, time.steady()),
    close() {
      closing = true;
      wakeAll();
    },
  };
}
