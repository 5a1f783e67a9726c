import { setImmediate as turn } from 'node:timers/promises';
import type { Limits } from '../../../contract/limits.ts';
import type { Clock } from '../../../lib/clock.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import { backoffMs } from '../../machine/backoff.ts';
import type { Store, WriteHandle } from '../../store/port.ts';
import type { HeldChannel } from '../channels.ts';
import { note } from '../history.ts';
import { groupKeyOf, groupLabelsOf, type CompiledPolicy } from '../policy.ts';
import { nextTick, planGroup, type GroupState, type Member, type Told } from './groups.ts';
import type { Message } from './message.ts';
import type { Sent } from './post.ts';

/** A message that waits to be delivered. */
interface Pending {
  readonly message: Message;
  /** What the receiver knows once it is. */
  readonly told: Readonly<Record<string, Told>>;
  readonly attempt: number;
  readonly nextTryAt: number;
}

export interface DispatcherDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Readonly<Pick<Limits, 'alertMessageAlerts' | 'alertRetrySeconds' | 'alertRetryMaxSeconds' | 'alertSenders'>>;
  policy(): CompiledPolicy;
  channels(): ReadonlyMap<string, HeldChannel>;
  /** All that fires now, made as it is asked for. */
  firing(): Iterable<Member>;
  /** When an alert that fires no longer ended. */
  ended(fingerprint: string): number;
  send(message: Message, channel: HeldChannel, signal: AbortSignal): Promise<Sent>;
  random(): number;
  onError(error: unknown): void;
}

const MOST_ANSWER = 500;
const SAVE_AGAIN_MS = 5000;
/** A wait that is longer is a clock that went back. */
const LONGEST_WAIT_MS = 2 * 3_600_000;
/** Of a thousand alerts at once the event loop would be held for long: it has its turn after so much time, or so many groups, each of which is written to the store. */
const SLICE_MS = 3;
const SLICE_GROUPS = 25;

/**
 * Groups alerts and hands their messages to channels. What a receiver knows changes only once it has taken the message,
 * in the transaction that takes the message out of the outbox: a kill in between delivers it again under the same id.
 */
export function createDispatcher(deps: DispatcherDeps) {
  const { store, clock, limits, onError } = deps;
  const groups = new Map<string, GroupState>();
  const outbox = new Map<string, Pending>();
  const sending = new Map<string, Promise<void>>();
  const standings = new Map<string, { lastSentAt: number | null; lastError: string | null }>();
  const stopped = new AbortController();
  /** Groups whose last change the store refused. */
  const unsaved = new Set<string>();
  let saveAgainAt = 0;
  let dirty = true;
  let looking: Promise<void> | null = null;
  for (const { key, state } of store.read.query<{ key: string; state: string }>('SELECT * FROM alert_group').all()) groups.set(key, JSON.parse(state) as GroupState);
  for (const { group_key, message } of store.read.query<{ group_key: string; message: string }>('SELECT group_key, message FROM alert_outbox').all()) {
    if (groups.has(group_key)) outbox.set(group_key, JSON.parse(message) as Pending);
    // Its group went while the store refused to forget the message.
    else unsaved.add(group_key);
  }

  /** Memory goes first: what fires is told even where the store refuses writes. What it refused it is given again with the next change, or later. */
  async function persist(keys: readonly string[], also: (db: WriteHandle) => void = () => {}): Promise<void> {
    let all: ReadonlySet<string> = new Set(keys);
    try {
      await store.write((db) => {
        all = new Set([...unsaved, ...keys]);
        for (const key of all) {
          saveGroup(db, key);
          saveOutbox(db, key);
        }
        also(db);
      });
      for (const key of all) unsaved.delete(key);
    } catch (error) {
      for (const key of keys) unsaved.add(key);
      saveAgainAt = clock.now() + SAVE_AGAIN_MS;
      onError(error);
    }
  }
  const saveGroup = (db: WriteHandle, key: string) => {
    const group = groups.get(key);
    if (group) db.statement('INSERT OR REPLACE INTO alert_group (key, state) VALUES (?, ?)').run(key, JSON.stringify(group));
    else db.statement('DELETE FROM alert_group WHERE key = ?').run(key);
  };
  const saveOutbox = (db: WriteHandle, key: string) => {
    const pending = outbox.get(key);
    if (pending) db.statement('INSERT OR REPLACE INTO alert_outbox (group_key, id, message) VALUES (?, ?, ?)').run(key, pending.message.id, JSON.stringify(pending));
    else db.statement('DELETE FROM alert_outbox WHERE group_key = ?').run(key);
  };

  /** To be waited for, where it is not undefined, between pieces of work: so many groups were written to the store in the last one. */
  function createSlices(): (groups: number) => Promise<void> | undefined {
    let began = performance.now();
    let written = 0;
    async function rest(): Promise<void> {
      await turn();
      began = performance.now();
      written = 0;
    }
    return (count) => ((written += count) >= SLICE_GROUPS || performance.now() - began >= SLICE_MS ? rest() : undefined);
  }

  /** Who belongs to which group now; groups that are new are made. */
  async function gather(now: number, slice: ReturnType<typeof createSlices>): Promise<Map<string, Member[]>> {
    const members = new Map<string, Member[]>();
    let made: string[] = [];
    const keep = () => {
      if (made.length > 0) void persist(made);
      made = [];
    };
    for (const member of deps.firing()) {
      for (const key of place(member, now, made)) {
        const list = members.get(key);
        if (list) list.push(member);
        else members.set(key, [member]);
      }
      const rest = slice(0);
      if (rest === undefined && made.length < SLICE_GROUPS) continue;
      keep();
      await (rest ?? slice(SLICE_GROUPS));
    }
    keep();
    return members;
  }
  /** The groups that an alert belongs to. Those that are `made` for it are to be kept. */
  function* place({ alert: { labels: of } }: Member, now: number, made: string[]): Generator<string> {
    for (const route of deps.policy().routesOf(of)) {
      const labels = groupLabelsOf(route, of);
      const groupKey = groupKeyOf(route, labels);
      for (const channelId of route.channels) {
        if (!deps.channels().has(channelId)) continue;
        const key = `${groupKey}|${channelId}`;
        const times = { waitMs: route.waitMs, intervalMs: route.intervalMs, repeatMs: route.repeatMs };
        const known = groups.get(key);
        if (!known) {
          groups.set(key, { groupKey, labels, channelId, ...times, nextAt: now + route.waitMs, sentAt: null, told: {} });
          made.push(key);
        } else if (known.waitMs !== times.waitMs || known.intervalMs !== times.intervalMs || known.repeatMs !== times.repeatMs) groups.set(key, { ...known, ...times, nextAt: Math.min(known.nextAt, now + times.intervalMs) });
        yield key;
      }
    }
  }

  /** One look at one group. A message that waits is brought up to date rather than joined by another. */
  function look(key: string, group: GroupState, members: readonly Member[], now: number): void {
    const channel = deps.channels().get(group.channelId);
    const waits = outbox.get(key);
    if (!channel) return void drop(key);
    if (!channel.enabled) return void groups.set(key, { ...group, nextAt: nextTick(group, now) });
    const { told, message } = planGroup(group, members, now, channel.sendResolved, deps.ended);
    const next = { ...group, nextAt: nextTick(group, now) };
    if (!message) {
      if (waits) outbox.delete(key);
      if (Object.keys(told).length === 0 && members.length === 0) groups.delete(key);
      else groups.set(key, { ...next, told });
      return void persist([key], (db) => {
        if (waits) note(db, { ...noted(waits.message, channel), at: now, ok: false, attempt: waits.attempt, reason: 'Superseded', answer: 'it was over before the receiver could be told' });
      });
    }
    groups.set(key, next);
    const { firing, resolved } = message;
    const alerts = [...firing, ...resolved].slice(0, limits.alertMessageAlerts);
    const same = waits !== undefined && waits.message.status === message.status && Object.keys(waits.told).sort().join() === Object.keys(told).sort().join() && waits.message.resolved === resolved.length;
    if (!same) {
      const made: Message = { id: uuidv7(now), groupKey: group.groupKey, channelId: group.channelId, groupLabels: group.labels, status: message.status, alerts, firing: firing.length, resolved: resolved.length, at: now };
      outbox.set(key, { message: made, told, attempt: waits?.attempt ?? 0, nextTryAt: waits?.nextTryAt ?? now });
    }
    void persist([key]);
  }

  function drop(key: string): void {
    groups.delete(key);
    outbox.delete(key);
    void persist([key]);
  }

  const failed = (error: unknown): Sent => ({ ok: false, status: null, answer: error instanceof Error ? error.message : String(error), retry: true });
  /** A receiver that takes its time does not keep the master from stopping: the message stays in the outbox. */
  const gone = new Promise<Sent>((resolve) => stopped.signal.addEventListener('abort', () => resolve(failed('the master is stopping')), { once: true }));

  async function deliver(key: string, { message, told, attempt: before, ...rest }: Pending, channel: HeldChannel): Promise<void> {
    const attempt = before + 1;
    const sent: Sent = channel.secrets === null ? { ok: false, status: null, answer: 'the secrets of the channel cannot be read: their key is missing', retry: true } : await Promise.race([deps.send(message, channel, stopped.signal).catch(failed), gone]);
    if (stopped.signal.aborted && !sent.ok) return;
    const now = clock.now();
    const group = groups.get(key);
    if (sent.ok) {
      outbox.delete(key);
      if (group) groups.set(key, { ...group, told, sentAt: now });
    } else if (sent.retry) {
      const wait = backoffMs({ firstSeconds: limits.alertRetrySeconds, mostSeconds: limits.alertRetryMaxSeconds, jitter: 0.2 }, attempt, deps.random(), sent.after);
      outbox.set(key, { message, told, attempt, ...rest, nextTryAt: now + wait });
    } else outbox.delete(key);
    standings.set(channel.id, { lastSentAt: sent.ok ? now : (standings.get(channel.id)?.lastSentAt ?? null), lastError: sent.ok ? null : `${sent.status ?? ''} ${sent.answer}`.trim().slice(0, MOST_ANSWER) });
    await persist([key], (db) => {
      note(db, { ...noted(message, channel), at: now, ok: sent.ok, attempt, answer: `${sent.status ?? ''} ${sent.answer}`.trim().slice(0, MOST_ANSWER) });
    });
  }

  const noted = (message: Message, channel: HeldChannel) => ({
    kind: 'notification' as const,
    ruleId: message.alerts[0]?.ruleId ?? null,
    labels: { ...message.groupLabels },
    channelId: channel.id,
    channelName: channel.name,
    status: message.status,
    firing: message.firing,
    resolved: message.resolved,
    title: message.alerts[0]?.annotations['summary'] ?? message.groupLabels['alertname'] ?? message.groupKey,
  });

  async function lookAround(): Promise<void> {
    const now = clock.now();
    const slice = createSlices();
    if (unsaved.size > 0 && (now >= saveAgainAt || saveAgainAt - now > SAVE_AGAIN_MS)) {
      saveAgainAt = now + SAVE_AGAIN_MS;
      void persist([]);
    }
    for (const [key, group] of groups) {
      // A clock that went back delays nobody for longer than one interval.
      const latest = now + Math.max(group.waitMs, group.intervalMs);
      if (group.nextAt > latest) groups.set(key, { ...group, nextAt: latest });
    }
    const isDue = (key: string) => (groups.get(key)?.nextAt ?? Infinity) <= now && !sending.has(key);
    if (dirty || [...groups.keys()].some(isDue)) {
      dirty = false;
      const members = await gather(now, slice);
      for (const key of [...groups.keys()]) {
        const group = groups.get(key);
        if (!group || !isDue(key)) continue;
        look(key, group, members.get(key) ?? [], now);
        const rest = slice(1);
        if (rest) await rest;
        if (stopped.signal.aborted) return;
      }
    }
    for (const [key, pending] of outbox) {
      if (sending.size >= limits.alertSenders) break;
      const channel = deps.channels().get(pending.message.channelId);
      if (sending.has(key) || !channel?.enabled || (pending.nextTryAt > now && pending.nextTryAt <= now + LONGEST_WAIT_MS)) continue;
      sending.set(key, deliver(key, pending, channel).catch(onError).finally(() => sending.delete(key)));
    }
  }

  return {
    /** Something fires, ended, or goes another way: groups are put together anew at the next step. */
    touch(): void {
      dirty = true;
    },
    /** Looks at the groups that are due and hands out what waits. Returns soon; where there is much, the rest and the deliveries go on. */
    step(): void {
      looking ??= lookAround().catch(onError).finally(() => (looking = null));
    },
    standing: (channelId: string) => ({ ...(standings.get(channelId) ?? { lastSentAt: null, lastError: null }), waiting: [...outbox.values()].filter(({ message }) => message.channelId === channelId).length }),
    get waiting() {
      return outbox.size;
    },
    /** Resolves once all was looked at and no delivery is under way. */
    async settled(): Promise<void> {
      await looking;
      await Promise.all(sending.values());
    },
    async close(): Promise<void> {
      stopped.abort();
      await looking;
      await Promise.all(sending.values());
    },
  };
}
