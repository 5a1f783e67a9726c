import { shell } from 'electron';
import { t } from '../lib/language.ts';
import type { Connections } from './connections/connections.ts';
import type { LocalMaster } from './local-master/local-master.ts';
import type { MenuActions } from './menu.ts';
import type { Navigation } from './navigation.ts';
import type { Updates } from './updates/updates.ts';
import type { ConsoleWindow } from './window/console-window.ts';

/** What the items of the menu do. */
export const createMenuActions = ({
  connections,
  local,
  navigation,
  updates,
  window,
  dataFolder,
  switchTo,
  startLocal,
  stopLocal,
}: Pick<MenuActions, 'switchTo' | 'startLocal' | 'stopLocal'> & {
  connections: Connections;
  local: LocalMaster;
  navigation: Navigation;
  updates: Updates;
  window: ConsoleWindow;
  dataFolder: string;
}): MenuActions => ({
  go: (path) => navigation.goTo(connections.selected(), path),
  open: (what) => window.send('menu:open', { what }),
  openFile: () => void navigation.chooseFile(),
  copyLink: () => window.send('menu:copy-link', null),
  back: () => window.current()?.webContents.navigationHistory.goBack(),
  forward: () => window.current()?.webContents.navigationHistory.goForward(),
  switchTo,
  startLocal,
  stopLocal,
  restartLocal: () => void local.stop().then(local.start),
  zoom: window.zoom,
  press: (keyCode, modifiers) =>
    (['keyDown', 'keyUp'] as const).forEach((type) =>
      window.current()?.webContents.sendInputEvent({ type, keyCode, modifiers }),
    ),
  showDataFolder: () =>
    void shell
      .openPath(dataFolder)
      .then((why) => why && navigation.showError(t('Could not open the data folder'), `${dataFolder}: ${why}`)),
  checkForUpdates: () => (navigation.goTo(connections.selected(), '/settings?tab=desktop'), void updates.check()),
  showReports: () => navigation.goTo(connections.selected(), '/settings?tab=about'),
});
