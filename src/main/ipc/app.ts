import { app, nativeTheme, Notification } from 'electron';
import type { AppInfo } from '../../contract/ipc.ts';
import { Fault } from '../../lib/fault.ts';
import type { Secrets } from '../connections/secrets.ts';
import { openOutside } from '../window/guard.ts';
import type { ConsoleWindow } from '../window/window.ts';
import type { IpcHandlers } from './register.ts';

type AppHandlers = Pick<IpcHandlers, 'app:info' | 'app:open-external' | 'app:notify' | 'window:theme'>;

/** Notes that may be pressed; older ones are let go, so that none keeps the app from ending. */
const MOST_NOTES = 20;

export function appHandlers(secrets: Secrets, window: Pick<ConsoleWindow, 'focus' | 'send'>): AppHandlers {
  // A note that nothing holds is collected, and its click is lost.
  const notes: Notification[] = [];
  return {
    'app:info': (): AppInfo => ({
      name: 'Yardmaster',
      version: app.getVersion(),
      platform: process.platform as AppInfo['platform'],
      electron: process.versions['electron'] ?? '',
      chrome: process.versions['chrome'] ?? '',
      node: process.versions.node,
      secretsEncrypted: secrets.encrypted(),
    }),
    'app:open-external': (url) => {
      if (!openOutside(url)) throw new Fault('ADDRESS_INVALID', `only https addresses are opened, got "${url}"`);
      return null;
    },
    'app:notify': ({ title, body, path }) => {
      if (!Notification.isSupported()) return null;
      const note = new Notification({ title, body });
      note.on('click', () => {
        window.focus();
        window.send('menu:go', { path });
      });
      notes.push(note);
      if (notes.length > MOST_NOTES) notes.shift();
      note.show();
      return null;
    },
    'window:theme': (theme) => {
      nativeTheme.themeSource = theme;
      return null;
    },
  };
}
