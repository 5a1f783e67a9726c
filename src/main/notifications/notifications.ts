import type { DesktopPreferences } from '../../contract/desktop.ts';

export type NotificationKind = 'alert' | 'bulk';

/** A notification of the system, as Electron makes it. */
export interface SystemNotification {
  on(event: 'click', listener: () => void): unknown;
  show(): void;
}

export interface NotificationDeps {
  supported(): boolean;
  make(notification: { title: string; body: string }): SystemNotification;
  preferences(): DesktopPreferences;
  /** Opens a place of a cluster in the window. */
  open(connection: string, path: string): void;
}

/** Notifications that may be pressed; older ones are let go, so that none keeps the app from ending. */
const NOTIFICATIONS_MOST = 20;

/** Notifications of the system, each kind as the user wants it. Pressing one opens what it speaks of, in the cluster that it came from. */
export function createNotifications({ supported, make, preferences, open }: NotificationDeps) {
  // A notification that nothing holds is collected, and its click is lost.
  const held: SystemNotification[] = [];
  return {
    /** True: it is shown. */
    show({
      kind,
      title,
      body,
      connection,
      path,
    }: {
      kind: NotificationKind;
      title: string;
      body: string;
      connection: string;
      path: string;
    }): boolean {
      const wanted = kind === 'alert' ? preferences().notifyAlerts : preferences().notifyBulk;
      if (!wanted || !supported()) return false;
      const notification = make({ title, body });
      notification.on('click', () => open(connection, path));
      held.push(notification);
      if (held.length > NOTIFICATIONS_MOST) held.shift();
      notification.show();
      return true;
    },
  };
}
export type Notifications = ReturnType<typeof createNotifications>;
