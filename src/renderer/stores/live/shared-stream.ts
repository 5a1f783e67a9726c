import type { StreamEvent } from '../../../contract/stream.ts';
import { createStream, type LiveMode, type Stream, type StreamParts } from './stream.ts';
import { createTabs } from './tabs.ts';

/** Part of the name of channel and lock: pages of another version of the console speak among themselves. Raise it with `Message`. */
const PROTOCOL = 1;

/**
 * What pages say to each other. `term` counts leaders, so that one who was deposed and does not know it yet is not listened to;
 * `number` counts what a leader has told, so that who missed some of it knows.
 */
type Message =
  | { kind: 'ask'; term: number }
  | { kind: 'lead'; term: number; leader: string; number: number; cursor: string | null; mode: LiveMode; since: number }
  | { kind: 'changes'; term: number; leader: string; number: number; cursor: string | null; events: StreamEvent[] }
  | { kind: 'again'; term: number; leader: string; number: number; all: boolean }
  | { kind: 'retry' };

export type Channel = Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'>;

/** What the browser brings along for pages to agree by. */
export interface TabChannel {
  readonly locks: Pick<LockManager, 'request'>;
  channel(name: string): Channel;
}

export interface SharedParts extends Pick<StreamParts, 'url' | 'probe' | 'now'> {
  /** Null: this page is alone, or does not know of others. */
  readonly between: TabChannel | null;
  /** Of this page, another one for each. */
  readonly id: string;
  onMode(mode: LiveMode, since: number): void;
  /** `first`: this page heard of it from the master itself; it tells the others, and the person. */
  onChange(event: StreamEvent, first: boolean): void;
  /** What is live is to be read again; `all`: everything. */
  onAgain(all: boolean): void;
  /** Runs it soon, also in a hidden page, where timers may wait for a minute. */
  soon(run: () => void): void;
}

/** The changes that all pages of one origin see, by one stream that one of them holds. Where that cannot be agreed, each holds its own. */
export function createSharedStream({ between, id, onMode, onChange, onAgain, soon, ...rest }: SharedParts) {
  const { url, now } = rest;
  const name = `yardmaster.live.${PROTOCOL}.${url}`;
  let channel: Channel | null = null;
  let stream: Stream | null = null;
  let mode: LiveMode = 'connecting';
  let since = now();
  /** Where the stream goes on after what this page has taken in. */
  let cursor: string | null = null;
  let term = 0;
  let leader = '';
  let number = 0;
  let untold: StreamEvent[] = [];
  let telling = false;

  const post = (message: Message) => channel?.postMessage(message);
  /** Where the leader stands: all that it knows is told by then. */
  function announce() {
    tell();
    post({ kind: 'lead', term, leader: id, number, cursor, mode, since });
  }
  const become = (next: LiveMode, at: number) => {
    mode = next;
    since = at;
    onMode(mode, since);
  };
  function tell() {
    telling = false;
    const events = untold;
    untold = [];
    if (stream !== null && events.length > 0)
      post({ kind: 'changes', term, leader: id, number: ++number, cursor, events });
  }

  function lead() {
    term++;
    leader = id;
    number = 0;
    untold = [];
    stream = createStream({
      ...rest,
      after: cursor,
      mode,
      onMode(next) {
        become(next, now());
        announce();
      },
      onChange(event, at) {
        cursor = at === '' ? cursor : at;
        if (event === null) return announce();
        onChange(event, true);
        if (channel === null) return;
        untold.push(event);
        if (telling) return;
        telling = true;
        soon(tell);
      },
      onAgain(all) {
        onAgain(all);
        tell();
        post({ kind: 'again', term, leader: id, number: ++number, all });
      },
    });
    announce();
  }
  function follow() {
    stream?.stop();
    stream = null;
  }

  const tabs =
    between &&
    createTabs({
      name,
      locks: between.locks,
      ask: () => post({ kind: 'ask', term }),
      lead,
      yieldTo: follow,
      alone() {
        leave();
        if (stream === null) lead();
      },
    });

  /** Of the leader that counts; a later one takes the place of an earlier. */
  function isLeader(message: Extract<Message, { leader: string }>): boolean {
    if (message.term === term && message.leader === leader) return true;
    // Changes of a leader that has not said where it stands yet are of no use.
    if (message.kind !== 'lead' || message.term <= term) return false;
    const isFirst = leader === '';
    ({ term, leader, number } = message);
    // It goes on where it stood itself: whoever stood further back, or read something before it heard of any leader, has missed something.
    const behind = message.cursor !== null && (cursor === null || Number(cursor) < Number(message.cursor));
    if (behind) ({ cursor } = message);
    if (behind || isFirst) onAgain(false);
    return true;
  }

  function hear(message: Message) {
    if (message.kind === 'ask' || message.kind === 'retry') {
      if (stream === null) return;
      if (message.kind === 'retry') return stream.retry();
      // Whoever asks does so by a clock that may go better than that of this page.
      stream.tick();
      if (message.term > term) term = message.term + 1;
      return announce();
    }
    if (stream !== null) {
      // Two that came to lead at once: one of them is just being told that it does not. The one that stays is to count.
      if (message.kind === 'lead' && message.leader !== id && message.term === term) {
        term++;
        announce();
      }
      return;
    }
    if (!isLeader(message)) return;
    tabs?.heard();
    const missed = message.number !== number + (message.kind === 'lead' ? 0 : 1);
    number = message.number;
    if (message.kind === 'lead') {
      if (message.mode !== mode || message.since !== since) become(message.mode, message.since);
    } else if (message.kind === 'changes') {
      cursor = message.cursor;
      for (const event of message.events) onChange(event, false);
    }
    if (message.kind === 'again') onAgain(message.all);
    else if (missed) onAgain(false);
  }

  function join() {
    if (channel !== null || stream !== null) return;
    if (between === null || tabs === null) return lead();
    channel = between.channel(name);
    channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
    tabs.start();
  }
  function leave() {
    if (channel === null) return;
    tabs?.stop();
    channel.close();
    channel = null;
  }

  return {
    start: join,
    /** Tries the stream at once, whoever holds it. */
    retry() {
      if (stream !== null) stream.retry();
      else if (channel === null) join();
      else post({ kind: 'retry' });
    },
    /** Closes what this page holds; another one goes on. */
    stop() {
      leave();
      follow();
    },
  };
}
