import { createStore } from 'zustand/vanilla';

/** `action`: what was done here, or failed. The others tell what happened in the cluster. */
export const NOTICE_KINDS = ['action', 'alert', 'operation', 'publication', 'worker'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface Notice {
  /** One thing is told once, also where a stream that resumes tells it again. */
  readonly id: string;
  readonly kind: NoticeKind;
  readonly tone: 'done' | 'fail' | 'warn' | 'run';
  /** Milliseconds. */
  readonly at: number;
  readonly title: string;
  readonly message: string;
  /** Where it happened: a path of the console; null: nowhere. */
  readonly path: string | null;
  readonly read: boolean;
}
export type NewNotice = Omit<Notice, 'at' | 'read'>;

export interface NoticesState {
  /** Newest first. */
  readonly items: readonly Notice[];
  /** Kinds that are not taken in. */
  readonly quiet: readonly NoticeKind[];
  tell(notice: NewNotice): void;
  /** Without an id: all of them. */
  markRead(id?: string): void;
  clear(): void;
  hush(kind: NoticeKind, quiet: boolean): void;
}

const KEY = 'yardmaster.notices';
/** The oldest go. */
const MOST = 200;
const LONGEST = 500;

/** What happened, kept by this browser for this master. Storage may be absent or full: it then lasts for this window. */
export function createNotices(storage: Pick<Storage, 'getItem' | 'setItem'> | null, now: () => number) {
  return createStore<NoticesState>()((set, get) => {
    const change = (next: Partial<NoticesState>) => {
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
      tell(notice) {
        const { items, quiet } = get();
        if (quiet.includes(notice.kind) || items.some(({ id }) => id === notice.id)) return;
        change({
          items: [
            {
              ...notice,
              title: notice.title.slice(0, LONGEST),
              message: notice.message.slice(0, LONGEST),
              at: now(),
              read: notice.kind === 'action',
            },
            ...items,
          ].slice(0, MOST),
        });
      },
      markRead(id) {
        const { items } = get();
        if (items.some((notice) => !notice.read && (id === undefined || notice.id === id)))
          change({
            items: items.map((notice) => (id === undefined || notice.id === id ? { ...notice, read: true } : notice)),
          });
      },
      clear: () => change({ items: [] }),
      hush: (kind, quiet) =>
        change({ quiet: quiet ? [...new Set([...get().quiet, kind])] : get().quiet.filter((other) => other !== kind) }),
    };
  });
}

export const unreadIn = (items: readonly Notice[]): number => items.reduce((sum, { read }) => sum + (read ? 0 : 1), 0);

function read(storage: Pick<Storage, 'getItem'> | null): Pick<NoticesState, 'items' | 'quiet'> {
  try {
    const { items, quiet } = JSON.parse(storage?.getItem(KEY) ?? '{}') as { items?: unknown; quiet?: unknown };
    return {
      items: Array.isArray(items) ? items.filter(isNotice).slice(0, MOST) : [],
      quiet: Array.isArray(quiet) ? NOTICE_KINDS.filter((kind) => quiet.includes(kind)) : [],
    };
  } catch {
    return { items: [], quiet: [] };
  }
}

function isNotice(value: unknown): value is Notice {
  const { id, kind, at, title, message, path } = (value ?? {}) as Partial<Notice>;
  return (
    typeof id === 'string' &&
    NOTICE_KINDS.includes(kind as NoticeKind) &&
    Number.isFinite(at) &&
    typeof title === 'string' &&
    typeof message === 'string' &&
    (path === null || (typeof path === 'string' && /^\/(?!\/)/.test(path)))
  );
}
