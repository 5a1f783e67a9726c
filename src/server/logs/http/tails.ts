import { setTimeout as delay } from 'node:timers/promises';
import { drained, Refusal } from './answer.ts';
import type { Follower, LogHttpOptions, LogTails, TailQuery } from './port.ts';
import { firstPlace, type Place } from './tail-places.ts';

interface Member extends Follower {
  place: Place;
  /** A look is being written to it. */
  busy: boolean;
  /** Others had to wait for it: it looks by itself until it is quick again. */
  slow: boolean;
  /** It was waited for in this look, and is waited for no more. */
  stuck: boolean;
  /** Resolves when it took what was written. */
  draining: Promise<void> | null;
  gone: boolean;
  fail(error: unknown): void;
}

interface Group {
  readonly query: TailQuery;
  readonly members: Set<Member>;
  readonly timer: NodeJS.Timeout;
}

/** What may wait for a reader before a look waits for it. */
const WAITING_BYTES = 1024 * 1024;
/** So long those of a look wait for a slow one among them; it is hung up on where it is further behind then than this. */
const PATIENCE_MS = 1000;
const BEHIND_BYTES = 4 * 1024 * 1024;

/** Looks at the store again and again, once for all who follow the same, and writes what is new to each of them. */
export function createLogTails({
  store,
  clock,
  onTailEnded = () => {},
}: Pick<LogHttpOptions, 'store' | 'clock' | 'onTailEnded'>): LogTails {
  const groups = new Map<string, Group>();

  function look(group: Group, members: Iterable<Member>): void {
    const to = Math.floor(clock.now() - group.query.offsetMs);
    const together = new Map<unknown, Member[]>();
    for (const member of members) {
      // Who still has to take what came before is told the rest later: its place stays where it is.
      if (member.busy || !member.place.isBefore(to)) continue;
      const key = member.slow ? member : member.place.key;
      const known = together.get(key);
      if (known) known.push(member);
      else together.set(key, [member]);
    }
    for (const some of together.values()) void tell(group.query, some, to);
  }

  async function tell(query: TailQuery, members: Member[], to: number): Promise<void> {
    const place = (members[0] as Member).place;
    const gone = new AbortController();
    const left = () => members.every(({ signal }) => signal.aborted) && gone.abort();
    for (const member of members) {
      member.busy = true;
      member.slow = false;
      member.stuck = false;
      member.signal.addEventListener('abort', left, { once: true });
    }
    try {
      const { query: text, extraFilters, timeoutMs } = query;
      const found = place.look(
        { query: text, extraFilters, timeoutMs, now: to, limit: null, offset: 0 },
        to,
        gone.signal,
      );
      for await (const page of found.pages) await write(members, page);
      const next = found.next();
      for (const member of members) member.place = next;
    } catch (error) {
      for (const member of members) member.fail(error);
    } finally {
      for (const member of members) {
        member.signal.removeEventListener('abort', left);
        void drain(member).then(() => (member.busy = false));
      }
    }
  }

  function drain(member: Member): Promise<void> {
    return (member.draining ??= drained(member.response).finally(() => (member.draining = null)));
  }

  /** Gives a page to all; those who are quick wait only so long for one who is not. */
  async function write(members: readonly Member[], page: Uint8Array): Promise<void> {
    const waits: Promise<void>[] = [];
    for (const member of members) {
      const { response } = member;
      if (member.gone || response.destroyed || response.writableEnded) continue;
      response.write(page);
      if (response.writableLength <= WAITING_BYTES) continue;
      member.slow = true;
      if (members.length === 1) waits.push(drain(member));
      else if (!member.stuck) waits.push(waitALittle(member));
      else if (response.writableLength > BEHIND_BYTES) {
        onTailEnded();
        member.fail(
          new Refusal(503, `${response.writableLength} bytes were not read in time: read faster, or narrow the query`),
        );
      }
    }
    await Promise.all(waits);
  }
  async function waitALittle(member: Member): Promise<void> {
    const over = new AbortController();
    const late = delay(PATIENCE_MS, undefined, { signal: over.signal }).then(
      () => void (member.stuck = true),
      () => {},
    );
    await Promise.race([drain(member), late]);
    over.abort();
  }

  function groupOf(query: TailQuery, key: string): Group {
    const known = groups.get(key);
    if (known) return known;
    const group: Group = {
      query,
      members: new Set(),
      timer: setInterval(() => look(group, group.members), query.intervalMs),
    };
    groups.set(key, group);
    return group;
  }

  return {
    follow(query, follower) {
      if (follower.signal.aborted) return Promise.resolve();
      const key = JSON.stringify(query);
      const group = groupOf(query, key);
      return new Promise((resolve, reject) => {
        const leave = () => {
          member.gone = true;
          if (group.members.delete(member) && group.members.size === 0) {
            clearInterval(group.timer);
            groups.delete(key);
          }
          follower.signal.removeEventListener('abort', done);
        };
        const done = () => {
          leave();
          resolve();
        };
        const member: Member = {
          ...follower,
          place: firstPlace(store, follower.from),
          busy: false,
          slow: false,
          stuck: false,
          draining: null,
          gone: false,
          fail(error) {
            leave();
            reject(error);
          },
        };
        group.members.add(member);
        follower.signal.addEventListener('abort', done, { once: true });
        look(group, [member]);
      });
    },
  };
}
