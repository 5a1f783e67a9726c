import type { Limits } from '../../../contract/limits.ts';
import type { Clock } from '../../../lib/clock.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import { jitteredBackoffMs } from '../../../lib/backoff.ts';
import type { Store } from '../../store/port.ts';
import type { LoadedChannel } from '../channels.ts';
import { recordHistory } from '../history.ts';
import type { CompiledPolicy } from '../policy.ts';
import { createEventLoopYield, GROUPS_PER_SLICE, type EventLoopYield } from '../event-loop-yield.ts';
import {
  assignToGroups,
  nextGroupTick,
  planGroup,
  possiblyNotified,
  type GroupState,
  type GroupMember,
} from './groups.ts';
import { createOutbox, type PendingMessage } from './outbox.ts';
import type { Message } from './message.ts';
import type { SendResult } from './post.ts';

export interface DispatcherDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Readonly<
    Pick<Limits, 'alertMessageAlerts' | 'alertRetrySeconds' | 'alertRetryMaxSeconds' | 'alertSenders'>
  >;
  policy(): CompiledPolicy;
  /** False: what fires is not known as a whole yet. What waits is delivered all the same. */
  isKnown(): boolean;
  channels(): ReadonlyMap<string, LoadedChannel>;
  /** All that fires now, made as it is asked for. */
  firing(): Iterable<GroupMember>;
  /** When an alert that fires no longer ended. */
  ended(fingerprint: string): number;
  send(message: Message, channel: LoadedChannel, signal: AbortSignal, taken?: readonly string[]): Promise<SendResult>;
  random(): number;
  onError(error: unknown): void;
}

const MAX_ANSWER = 500;
/** A wait that is longer is a clock that went back. */
const MAX_WAIT_MS = 2 * 3_600_000;
/** A group of more alerts is looked at in a turn of its own. */
const MANY = 200;
/** What of all that may be on its way at once one channel has at most, and all those together that failed last, each of which is tried by one message. */
const SHARE = 1 / 2;

/**
 * Groups alerts and hands their messages to channels. What a receiver knows is sure only once it has taken the message,
 * in the transaction that takes the message out of the outbox: a kill in between delivers it again under the same id, and
 * until then nothing that the message says counts as told or untold.
 */
export function createDispatcher(deps: DispatcherDeps) {
  const { clock, limits, onError } = deps;
  const { groups, outbox, persist, persistRefused } = createOutbox(deps);
  const sending = new Map<string, Promise<void>>();
  /** Messages on their way, by channel. */
  const busy = new Map<string, number>();
  /** Channels that failed last, and until when they asked to be left alone (`waitMs`: for how long). */
  const failing = new Map<string, { until: number; waitMs: number }>();
  const deliveries = new Map<string, { lastSentAt: number | null; lastError: string | null }>();
  const stopped = new AbortController();
  let dirty = true;
  let looking: Promise<void> | null = null;
  /** Who belongs to which group now; groups that are new are made. */
  async function gather(now: number, slice: EventLoopYield): Promise<Map<string, GroupMember[]>> {
    const members = new Map<string, GroupMember[]>();
    let made: string[] = [];
    const keep = () => {
      if (made.length > 0) void persist(made);
      made = [];
    };
    for (const member of deps.firing()) {
      for (const key of assignToGroups(groups, member.alert.labels, deps.policy(), deps.channels(), now, made)) {
        const list = members.get(key);
        if (list) list.push(member);
        else members.set(key, [member]);
      }
      const rest = slice(0);
      if (rest === undefined && made.length < GROUPS_PER_SLICE) continue;
      keep();
      await (rest ?? slice(GROUPS_PER_SLICE));
    }
    keep();
    return members;
  }
  /** One look at one group. A message that waits is brought up to date rather than joined by another. */
  function look(key: string, group: GroupState, members: readonly GroupMember[], now: number): void {
    const channel = deps.channels().get(group.channelId);
    const waits = outbox.get(key);
    if (!channel) return void drop(key);
    if (!channel.enabled) return void groups.set(key, { ...group, nextAt: nextGroupTick(group, now) });
    const { told, message } = planGroup(group, members, now, channel.sendResolved, deps.ended, tellsAck(channel));
    const next = { ...group, nextAt: nextGroupTick(group, now) };
    if (!message) {
      if (waits) outbox.delete(key);
      if (Object.keys(told).length === 0 && members.length === 0) groups.delete(key);
      else groups.set(key, { ...next, told });
      return void persist([key], (db) => {
        if (waits)
          recordHistory(db, {
            ...noted(waits.message, channel),
            at: now,
            ok: false,
            attempt: waits.attempt,
            reason: 'Superseded',
            answer: 'the alert resolved before the notification could be sent',
          });
      });
    }
    groups.set(key, next);
    const { firing, resolved } = message;
    const acknowledged = message.why === 'acknowledged';
    const alerts = [...firing, ...resolved].slice(0, limits.alertMessageAlerts);
    const same =
      waits !== undefined &&
      waits.message.status === message.status &&
      (waits.message.acknowledged ?? false) === acknowledged &&
      sameKeys(waits.told, told) &&
      waits.message.resolved === resolved.length;
    if (!same) {
      const made: Message = {
        id: uuidv7(now),
        groupKey: group.groupKey,
        channelId: group.channelId,
        groupLabels: group.labels,
        status: message.status,
        ...(acknowledged && { acknowledged }),
        alerts,
        firing: firing.length,
        resolved: resolved.length,
        at: now,
      };
      outbox.set(key, {
        message: made,
        told,
        attempt: waits?.attempt ?? 0,
        nextTryAt: waits?.nextTryAt ?? now,
        ...(waits?.waitMs === undefined ? {} : { waitMs: waits.waitMs }),
      });
    }
    void persist([key]);
  }

  function drop(key: string): void {
    groups.delete(key);
    outbox.delete(key);
    void persist([key]);
  }

  const failed = (error: unknown): SendResult => ({
    ok: false,
    status: null,
    answer: error instanceof Error ? error.message : String(error),
    retry: true,
  });
  /** A receiver that takes its time does not keep the master from stopping: the message stays in the outbox. */
  const gone = new Promise<SendResult>((resolve) =>
    stopped.signal.addEventListener('abort', () => resolve(failed('the master is shutting down')), { once: true }),
  );

  async function deliver(key: string, pending: PendingMessage, channel: LoadedChannel): Promise<void> {
    const { message, told } = pending;
    const attempt = pending.attempt + 1;
    const before = groups.get(key);
    const locked = channel.secrets === null;
    if (!locked) {
      // Written down before it is handed over: a kill in between leaves open what the receiver knows.
      if (before) groups.set(key, { ...before, told: possiblyNotified(before.told, told) });
      outbox.set(key, { ...pending, attempt });
      await persist([key]);
      if (stopped.signal.aborted) return;
    }
    const sent: SendResult = locked
      ? {
          ok: false,
          status: null,
          answer: 'the secrets of the channel cannot be decrypted: the encryption key is missing',
          retry: true,
        }
      : await Promise.race([deps.send(message, channel, stopped.signal, pending.taken).catch(failed), gone]);
    if (stopped.signal.aborted && !sent.ok) return;
    const now = clock.now();
    const group = groups.get(key);
    if (sent.ok) {
      outbox.delete(key);
      failing.delete(channel.id);
      if (group) groups.set(key, { ...group, told, sentAt: now });
    } else {
      if (group && before && !sent.maybe) groups.set(key, { ...group, told: before.told });
      const waitMs = jitteredBackoffMs(
        { firstMs: limits.alertRetrySeconds * 1000, mostMs: limits.alertRetryMaxSeconds * 1000, jitter: 0.2 },
        attempt,
        deps.random(),
        sent.after === undefined ? undefined : sent.after * 1000,
      );
      failing.set(
        channel.id,
        sent.after === undefined
          ? { until: 0, waitMs: 0 }
          : { until: now + sent.after * 1000, waitMs: sent.after * 1000 },
      );
      if (sent.retry)
        outbox.set(key, {
          ...pending,
          attempt,
          nextTryAt: now + waitMs,
          waitMs,
          ...(sent.taken ? { taken: sent.taken } : {}),
        });
      else outbox.delete(key);
    }
    deliveries.set(channel.id, {
      lastSentAt: sent.ok ? now : (deliveries.get(channel.id)?.lastSentAt ?? null),
      lastError: sent.ok ? null : `${sent.status ?? ''} ${sent.answer}`.trim().slice(0, MAX_ANSWER),
    });
    await persist([key], (db) => {
      recordHistory(db, {
        ...noted(message, channel),
        at: now,
        ok: sent.ok,
        attempt,
        answer: `${sent.status ?? ''} ${sent.answer}`.trim().slice(0, MAX_ANSWER),
      });
    });
  }

  const waits = (until: number, most: number, now: number): boolean => until > now && until <= now + most;
  /** Hands out what is due. Channels that hang keep nobody else's messages: theirs have no more than their share of the senders. */
  function handOut(): void {
    const now = clock.now();
    const share = Math.max(1, Math.floor(limits.alertSenders * SHARE));
    let tried = 0;
    for (const [id, count] of busy) if (failing.has(id)) tried += count;
    for (const [key, pending] of outbox) {
      if (sending.size >= limits.alertSenders || stopped.signal.aborted) return;
      const channel = deps.channels().get(pending.message.channelId);
      if (sending.has(key) || !channel?.enabled || waits(pending.nextTryAt, pending.waitMs ?? MAX_WAIT_MS, now))
        continue;
      const fails = failing.get(channel.id);
      const under = busy.get(channel.id) ?? 0;
      if (under >= (fails ? 1 : share) || (fails && (tried >= share || waits(fails.until, fails.waitMs, now))))
        continue;
      if (fails) tried++;
      busy.set(channel.id, under + 1);
      sending.set(
        key,
        deliver(key, pending, channel)
          .catch(onError)
          .finally(() => {
            sending.delete(key);
            const left = (busy.get(channel.id) ?? 1) - 1;
            if (left > 0) busy.set(channel.id, left);
            else busy.delete(channel.id);
            handOut();
          }),
      );
    }
  }

  const noted = (message: Message, channel: LoadedChannel) => ({
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
    const slice = createEventLoopYield();
    persistRefused(now);
    for (const [key, group] of groups) {
      // A clock that went back delays nobody for longer than one interval.
      const latest = now + Math.max(group.waitMs, group.intervalMs);
      if (group.nextAt > latest || (group.sentAt ?? 0) > now)
        groups.set(key, {
          ...group,
          nextAt: Math.min(group.nextAt, latest),
          sentAt: group.sentAt === null ? null : Math.min(group.sentAt, now),
        });
    }
    const isDue = (key: string) => (groups.get(key)?.nextAt ?? Infinity) <= now && !sending.has(key);
    if (deps.isKnown() && (dirty || [...groups.keys()].some(isDue))) {
      dirty = false;
      const members = await gather(now, slice);
      // One group may have a thousand of them: it begins in a turn of its own.
      await slice(GROUPS_PER_SLICE);
      for (const key of [...groups.keys()]) {
        const group = groups.get(key);
        if (!group || !isDue(key)) continue;
        const own = members.get(key) ?? [];
        look(key, group, own, now);
        const isLarge = own.length > MANY || Object.keys(group.told).length > MANY;
        const rest = slice(isLarge ? GROUPS_PER_SLICE : 1);
        if (rest) await rest;
        if (stopped.signal.aborted) return;
      }
    }
    handOut();
  }

  return {
    /** Something fires, ended, or goes another way: groups are put together anew at the next step. */
    touch(): void {
      dirty = true;
    },
    /** Somebody looks after an alert: who is told of that is told at the next step, not at the next tick of the group. */
    acknowledged(fingerprint: string): void {
      dirty = true;
      const now = clock.now();
      for (const [key, group] of groups) {
        const channel = deps.channels().get(group.channelId);
        if (channel && tellsAck(channel) && Object.hasOwn(group.told, fingerprint))
          groups.set(key, { ...group, nextAt: Math.min(group.nextAt, now) });
      }
    },
    /** Looks at the groups that are due and hands out what waits. Returns soon; where there is much, the rest and the deliveries go on. */
    step(): void {
      looking ??= lookAround()
        .catch(onError)
        .finally(() => (looking = null));
    },
    deliveryStatus: (channelId: string) => ({
      ...(deliveries.get(channelId) ?? { lastSentAt: null, lastError: null }),
      waiting: [...outbox.values()].filter(({ message }) => message.channelId === channelId).length,
    }),
    get waiting() {
      return outbox.size;
    },
    /** Resolves once all was looked at and no delivery is under way. */
    async settled(): Promise<void> {
      await looking;
      while (sending.size > 0) await Promise.all(sending.values());
    },
    async close(): Promise<void> {
      stopped.abort();
      await looking;
      await Promise.all(sending.values());
    },
  };
}

/** Only a pager has a state for it. */
const tellsAck = ({ kind }: LoadedChannel): boolean => kind === 'pagerduty';

const sameKeys = (a: GroupState['told'], b: GroupState['told']): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => Object.hasOwn(b, key));
