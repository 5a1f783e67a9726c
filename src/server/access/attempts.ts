import { groupOf } from '../../lib/address-group.ts';
import type { Limits } from '../../contract/limits.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';

/** Who presented a credential. */
export interface Presenter {
  /** Null: a connection without one. */
  readonly address: string | null;
  /** True where it is a program on this machine, and not one that a proxy speaks for. */
  readonly isLocal: boolean;
}

/** How often wrong tokens, keys and sign-in codes came. */
export interface AttemptStats {
  /** All since the start. */
  readonly wrong: number;
  /** Those of them that came during a back-off. */
  readonly blocked: number;
  /** Of the last five minutes. */
  readonly recent: number;
}

export interface Attempts {
  /**
   * Counts a wrong credential. Throws TOO_MANY_ATTEMPTS with the seconds to wait where its address, or the beginning of
   * this credential, has brought too many. Right ones do not come by here: nobody locks another out.
   */
  wrong(from: Presenter, secret: string, action?: 'token.refused' | 'session.refused'): void;
  /**
   * Throws the same where a back-off runs, and counts nothing: of what people could guess, a right one must wait too.
   */
  check(from: Presenter, secret: string): void;
  /** True where something wrong came from that address lately. */
  hasFailed(from: Presenter): boolean;
  stats(): AttemptStats;
}

/** Addresses, and beginnings of credentials, that are remembered; whoever was wrong longest ago is forgotten first. */
const REMEMBERED = 10_000;
/** Visible characters of a credential, as lists show them. */
const BEGINNING = 10;
/** Who was quiet for so long begins anew. */
const FORGIVEN_MS = 15 * 60_000;
const LOCAL_BACKOFF_SECONDS = 1;
const MINUTE_MS = 60_000;
const RECENT_MINUTES = 5;

interface Wrongs {
  /** How many more are answered plainly; grows back over a minute. */
  left: number;
  at: number;
  until: number;
  backOffs: number;
}

/** What wrong credentials cost. All in memory: a restart forgives. */
export function createAttempts({
  clock,
  limits,
  refused,
}: {
  clock: Clock;
  limits: Readonly<Pick<Limits, 'wrongTokens' | 'wrongTokensLocal' | 'wrongTokensBackoffSeconds'>>;
  refused(action: 'token.refused' | 'session.refused', address: string | null): void;
}): Attempts {
  const byAddress = new BoundedMap<string, Wrongs>(REMEMBERED);
  const byBeginning = new BoundedMap<string, Wrongs>(REMEMBERED);
  const counts = { wrong: 0, blocked: 0 };
  const minutes = Array.from({ length: RECENT_MINUTES }, () => ({ minute: -1, wrong: 0 }));

  /** Milliseconds to wait; 0: this one is answered plainly. */
  function charge(map: BoundedMap<string, Wrongs>, key: string, most: number, longest: number, now: number): number {
    const before = map.get(key);
    const one =
      before && now - before.at < FORGIVEN_MS && now >= before.at
        ? before
        : { left: most, at: now, until: 0, backOffs: 0 };
    one.left = Math.min(most, one.left + ((now - one.at) / MINUTE_MS) * most);
    one.at = now;
    map.set(key, one);
    if (now < one.until) return one.until - now;
    if (one.left >= 1) {
      one.left--;
      return 0;
    }
    one.until = now + Math.min(longest, 2 ** one.backOffs++) * 1000;
    return one.until - now;
  }

  /** Milliseconds that a back-off still runs. */
  function left(map: BoundedMap<string, Wrongs>, key: string, now: number): number {
    const one = map.get(key);
    return one && now >= one.at && now - one.at < FORGIVEN_MS ? Math.max(0, one.until - now) : 0;
  }

  function refusal(from: Presenter, wait: number): Fault {
    const seconds = Math.ceil(wait / 1000);
    return new Fault(
      'TOO_MANY_ATTEMPTS',
      `too many wrong tokens, keys, passwords or sign-in codes came from ${from.address ?? 'this connection'}, or for this name or beginning: try again in ${seconds} s, with a valid one`,
      { extra: { retryAfterSeconds: seconds } },
    );
  }

  return {
    check(from, secret) {
      const now = clock.now();
      const wait = Math.max(
        left(byAddress, groupOf(from.address), now),
        left(byBeginning, secret.slice(0, BEGINNING), now),
      );
      if (wait === 0) return;
      counts.blocked++;
      throw refusal(from, wait);
    },
    hasFailed({ address }) {
      const one = byAddress.get(groupOf(address));
      return one !== undefined && Math.abs(clock.now() - one.at) < FORGIVEN_MS;
    },
    wrong(from, secret, action = 'token.refused') {
      const now = clock.now();
      const minute = Math.floor(now / MINUTE_MS);
      const slot = minutes[minute % RECENT_MINUTES];
      if (slot) {
        if (slot.minute !== minute) Object.assign(slot, { minute, wrong: 0 });
        slot.wrong++;
      }
      counts.wrong++;
      refused(action, from.address);
      const wait = from.isLocal
        ? charge(byAddress, groupOf(from.address), limits.wrongTokensLocal, LOCAL_BACKOFF_SECONDS, now)
        : Math.max(
            charge(byAddress, groupOf(from.address), limits.wrongTokens, limits.wrongTokensBackoffSeconds, now),
            charge(byBeginning, secret.slice(0, BEGINNING), limits.wrongTokens, limits.wrongTokensBackoffSeconds, now),
          );
      if (wait === 0) return;
      counts.blocked++;
      throw refusal(from, wait);
    },
    stats() {
      const newest = Math.floor(clock.now() / MINUTE_MS);
      return {
        ...counts,
        recent: minutes.reduce((sum, { minute, wrong }) => sum + (newest - minute < RECENT_MINUTES ? wrong : 0), 0),
      };
    },
  };
}
