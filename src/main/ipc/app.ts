import { app, nativeTheme } from 'electron';
import type { AppInfo } from '../../contract/ipc.ts';
import { Fault } from '../../lib/fault.ts';
import type { TokenStorage } from '../connections/token-storage.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { openOutside } from '../window/guard-contents.ts';
import type { HandlersOf } from './register.ts';

/** `shown`: the cluster that the asking page is of. */
export function appHandlers(
  secrets: TokenStorage,
  notifications: Notifications,
  shown: () => string,
): HandlersOf<'app' | 'window'> {
  return {
    'app:info': (): AppInfo => ({
      name: 'Yardmaster',
      version: app.getVersion(),
      // The systems that the app is built for.
      platform: process.platform as AppInfo['platform'],
      electron: process.versions['electron'] ?? '',
      chrome: process.versions['chrome'] ?? '',
      node: process.versions.node,
      secretsEncrypted: secrets.isEncrypted(),
    }),
    'app:open-external': (url) => {
      if (!openOutside(url)) throw new Fault('ADDRESS_INVALID', `only https addresses are opened, got "${url}"`);
      return null;
    },
    'app:notify': (note) => {
      notifications.show({ ...note, connection: shown() });
      return null;
    },
    'window:theme': (theme) => {
      nativeTheme.themeSource = theme;
      return null;
    },
  };
}
