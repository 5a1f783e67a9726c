import { createStore } from 'zustand/vanilla';
import { isRecord } from '../../lib/is-record.ts';
import { isOneOf } from '../../lib/is-one-of.ts';

/** `action`: what was done here, or failed. The others tell what happened in the cluster. */
export const NOTIFICATION_KINDS = ['action', 'alert', 'operation', 'publication', 'worker', 'failover'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export interface StoredNotification {
  /** One thing is told once, also where a stream that resumes tells it again. */
  readonly id: string;
  readonly kind: NotificationKind;
  readonly tone: 'done' | 'fail' | 'warn' | 'run';
  /** Milliseconds. */
  readonly at: number;
  readonly title: string;
  readonly message: string;
  /** Where it happened: a path of the console; null: nowhere. */
  readonly path: string | null;
  readonly read: boolean;
}
export type NewNotification = Omit<StoredNotification, 'at' | 'read'>;

export interface NotificationsState {
  /** Newest first. */
  readonly items: readonly StoredNotification[];
  /** Kinds that are not taken in. */
  readonly quiet: readonly NotificationKind[];
  add(notification: NewNotification): void;
  /** Without an id: all of them. */
  markRead(id?: string): void;
  clear(): void;
  hush(kind: NotificationKind, quiet: boolean): void;
}

const KEY = 'yardmaster.notices';
/** The oldest go. */
const MOST = 200;
const LONGEST = 500;

/** What happened, kept by this browser for this master. Storage may be absent or full: it then lasts for this window. */
export function createNotifications(storage: Pick<Storage, 'getItem' | 'setItem'> | null, now: () => number) {
  return createStore<NotificationsState>()((set, get) => {
    const change = (next: Partial<NotificationsState>) => {
      set(next);
      const { items, quiet } = get();
      try {
        storage?.setItem(KEY, JSON.stringify({ items, quiet }));
      } catch {
        // They last for this window.
      }
    };
    return {
      ...read(storage),
      // What one did oneself was seen when it was done.
      add(notification) {
        const { items, quiet } = get();
        if (quiet.includes(notification.kind) || items.some(({ id }) => id === notification.id)) return;
        change({
          items: [
            {
              ...notification,
              title: notification.title.slice(0, LONGEST),
              message: notification.message.slice(0, LONGEST),
              at: now(),
              read: notification.kind === 'action',
            },
            ...items,
          ].slice(0, MOST),
        });
      },
      markRead(id) {
        const { items } = get();
        if (items.some((notification) => !notification.read && (id === undefined || notification.id === id)))
          change({
            items: items.map((notification) =>
              id === undefined || notification.id === id ? { ...notification, read: true } : notification,
            ),
          });
      },
      clear: () => change({ items: [] }),
      hush: (kind, quiet) =>
        change({ quiet: quiet ? [...new Set([...get().quiet, kind])] : get().quiet.filter((other) => other !== kind) }),
    };
  });
}

export const unreadIn = (items: readonly StoredNotification[]): number =>
  items.reduce((sum, { read }) => sum + (read ? 0 : 1), 0);

function read(storage: Pick<Storage, 'getItem'> | null): Pick<NotificationsState, 'items' | 'quiet'> {
  try {
    const { items, quiet }: { items?: unknown; quiet?: unknown } = JSON.parse(storage?.getItem(KEY) ?? '{}');
    return {
      items: Array.isArray(items) ? items.filter(isStoredNotification).slice(0, MOST) : [],
      quiet: Array.isArray(quiet) ? NOTIFICATION_KINDS.filter((kind) => quiet.includes(kind)) : [],
    };
  } catch {
    return { items: [], quiet: [] };
  }
}

function isStoredNotification(value: unknown): value is StoredNotification {
  if (!isRecord(value)) return false;
  const { id, kind, at, title, message, path } = value;
  return (
    typeof id === 'string' &&
    isOneOf(NOTIFICATION_KINDS, kind) &&
    Number.isFinite(at) &&
    typeof title === 'string' &&
    typeof message === 'string' &&
    (path === null || (typeof path === 'string' && /^\/(?!\/)/.test(path)))
  );
}
