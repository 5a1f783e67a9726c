import type { Labels } from '../fingerprint.ts';
import { alertGroupKey, groupLabels, type CompiledPolicy } from '../policy.ts';

/** An alert as a message tells of it. */
export interface NotifiedAlert {
  readonly fingerprint: string;
  readonly labels: Labels;
  readonly annotations: Labels;
  /** Milliseconds. */
  readonly startsAt: number;
  /** Null while it fires. */
  readonly endsAt: number | null;
  readonly value: number | null;
  readonly ruleId: string;
  /** Who looks after it; `worseAt`: when it became worse, from where on this no longer counts. */
  readonly ack?: { readonly at: number; readonly by: string; readonly note: string; readonly worseAt: number | null };
  /** It fell silent since, or nobody knows whether its last message was taken: its end is told, and as soon as it is heard again it is news. */
  readonly again?: boolean;
}

/** A group of alerts on its way to one channel. Kept in the store. */
export interface GroupState {
  readonly groupKey: string;
  readonly labels: Labels;
  readonly channelId: string;
  readonly waitMs: number;
  readonly intervalMs: number;
  readonly repeatMs: number;
  /** When it is looked at next. */
  readonly nextAt: number;
  /** When its last message was delivered. */
  readonly sentAt: number | null;
  /** What the receiver knows to be firing. */
  readonly told: Readonly<Record<string, NotifiedAlert>>;
}

export interface GroupMember {
  readonly alert: NotifiedAlert;
  /** Silenced or inhibited. */
  readonly suppressed: boolean;
}

export interface GroupPlan {
  /** What the receiver knows once the message is delivered, or at once where there is none. */
  readonly told: Readonly<Record<string, NotifiedAlert>>;
  /** Null: nothing is to be told. */
  readonly message: {
    readonly status: 'firing' | 'resolved';
    readonly firing: readonly NotifiedAlert[];
    readonly resolved: readonly NotifiedAlert[];
    /** `acknowledged`: nothing but that somebody looks after all that fires. */
    readonly why: 'change' | 'repeat' | 'acknowledged';
  } | null;
}

/** The keys of the groups that an alert belongs to, one for each channel of its routes. New groups are added, their keys also to `made`. */
export function* assignToGroups(
  groups: Map<string, GroupState>,
  alertLabels: Labels,
  policy: CompiledPolicy,
  channels: { has(id: string): boolean },
  now: number,
  made: string[],
): Generator<string> {
  for (const route of policy.routesOf(alertLabels)) {
    const labels = groupLabels(route, alertLabels);
    const groupKey = alertGroupKey(route, labels);
    for (const channelId of route.channels) {
      if (!channels.has(channelId)) continue;
      const key = `${groupKey}|${channelId}`;
      const times = { waitMs: route.waitMs, intervalMs: route.intervalMs, repeatMs: route.repeatMs };
      const known = groups.get(key);
      if (!known) {
        groups.set(key, { groupKey, labels, channelId, ...times, nextAt: now + route.waitMs, sentAt: null, told: {} });
        made.push(key);
      } else if (
        known.waitMs !== times.waitMs ||
        known.intervalMs !== times.intervalMs ||
        known.repeatMs !== times.repeatMs
      )
        groups.set(key, { ...known, ...times, nextAt: Math.min(known.nextAt, now + times.intervalMs) });
      yield key;
    }
  }
}

/**
 * What a group has to tell at its tick: news where an alert fires that the receiver does not know, or one that it knows
 * has ended, or became worse than when somebody acknowledged it; the same again where `repeat` is due, unless all are acknowledged. Suppressed alerts are left out; one that ends while it is suppressed is
 * told all the same where the receiver knows of it, so that no page stays open. `ended` gives the end of an alert.
 * `tellsAck`: the receiver has somebody's phone ring, and is told at once when all that fires is looked after.
 */
export function planGroup(
  group: GroupState,
  members: readonly GroupMember[],
  now: number,
  sendResolved: boolean,
  ended: (fingerprint: string) => number,
  tellsAck = false,
): GroupPlan {
  const known = new Map(members.map((member) => [member.alert.fingerprint, member]));
  const firing = members.filter(({ suppressed }) => !suppressed).map(({ alert }) => alert);
  const told: Record<string, NotifiedAlert> = {};
  const resolved: NotifiedAlert[] = [];
  for (const alert of Object.values(group.told)) {
    const member = known.get(alert.fingerprint);
    if (!member) resolved.push({ ...alert, endsAt: ended(alert.fingerprint) });
    else if (member.suppressed) told[alert.fingerprint] = { ...alert, again: true };
  }
  const isWorse = ({ ack }: NotifiedAlert): boolean =>
    ack !== undefined && ack.worseAt !== null && ack.worseAt > (group.sentAt ?? 0);
  const news = firing.filter(
    (alert) =>
      !Object.hasOwn(group.told, alert.fingerprint) || group.told[alert.fingerprint]?.again === true || isWorse(alert),
  );
  for (const alert of firing) told[alert.fingerprint] = alert;
  const repeats =
    firing.some(({ ack }) => ack === undefined || ack.worseAt !== null) &&
    group.sentAt !== null &&
    now - group.sentAt >= group.repeatMs;
  const tellsEnd = resolved.length > 0 && sendResolved;
  const isTaken = ({ ack }: NotifiedAlert): boolean => ack !== undefined && ack.worseAt === null;
  const taken =
    tellsAck && firing.every(isTaken) && firing.some(({ fingerprint }) => group.told[fingerprint]?.ack === undefined);
  if (news.length === 0 && !tellsEnd && !repeats && !taken)
    return {
      told: Object.fromEntries(Object.entries(told).filter(([fingerprint]) => Object.hasOwn(group.told, fingerprint))),
      message: null,
    };
  return {
    told,
    message: {
      status: firing.length > 0 ? 'firing' : 'resolved',
      firing,
      resolved: sendResolved ? resolved : [],
      why: news.length > 0 || tellsEnd ? 'change' : repeats ? 'repeat' : 'acknowledged',
    },
  };
}

/**
 * What the receiver knows while a message is on its way, and where its outcome is never heard of: of what it changes, one
 * or the other. Alerts of which that is not sure are told again, and their ends too, so that no page stays open unseen.
 */
export function possiblyNotified(known: GroupState['told'], next: GroupState['told']): GroupState['told'] {
  const perhaps: Record<string, NotifiedAlert> = {};
  for (const alert of Object.values(known))
    perhaps[alert.fingerprint] = Object.hasOwn(next, alert.fingerprint) ? alert : { ...alert, again: true };
  for (const alert of Object.values(next))
    if (!Object.hasOwn(known, alert.fingerprint)) perhaps[alert.fingerprint] = { ...alert, again: true };
  return perhaps;
}

/** When a group is looked at after `now`: ticks missed while the master was away are left out; a clock that went back delays none for longer than one interval. */
export const nextGroupTick = (group: GroupState, now: number): number =>
  group.nextAt + group.intervalMs > now && group.nextAt <= now
    ? group.nextAt + group.intervalMs
    : now + group.intervalMs;
