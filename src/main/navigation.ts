import { BrowserWindow, dialog } from 'electron';
import type { DesktopNotification } from '../contract/desktop.ts';
import { t } from '../lib/language.ts';
import type { Connections } from './connections/connections.ts';
import { readOpenedFile, type PendingItems } from './links/opened-file.ts';
import type { CommandLine } from './links/command-line.ts';
import { connectionForLink, parseLink } from './links/deep-link.ts';
import { isConsole } from './window/guard-contents.ts';
import type { ConsoleWindow } from './window/console-window.ts';

export interface Navigation {
  /** Shows a place of a cluster; a page that is there already only goes to it. */
  goTo(connection: string, path: string): void;
  openLink(link: string): void;
  openFile(path: string): Promise<void>;
  openAll(asked: Pick<CommandLine, 'links' | 'files'>): void;
  chooseFile(): Promise<void>;
  notify(notice: DesktopNotification): void;
  /** Says what could not be done, in the window, which it brings to the front. */
  showError(title: string, error: unknown): void;
}

/** All that leads into the window from outside: links, files, notifications, tray. A link never leads to a cluster without a connection here. */
export function createNavigation(window: ConsoleWindow, connections: Connections, pending: PendingItems): Navigation {
  const goTo = (connection: string, path: string) => {
    const page = window.current()?.webContents;
    const here =
      page !== undefined &&
      isConsole(page.getURL()) &&
      connections.selected() === connection &&
      !page.isLoading() &&
      !page.isCrashed();
    if (here) window.send('menu:go', { path });
    else {
      if (connections.selected() !== connection) connections.select(connection);
      window.show(connection, path);
    }
    window.focus();
  };
  const announce = () => {
    if (window.current() === null) window.show(connections.selected(), '/');
    window.focus();
    window.send('desktop:waiting', null);
  };
  /** Without taking the focus: it is not what the user is at. */
  const tell = (notice: DesktopNotification) => {
    pending.addNotice(notice);
    window.send('desktop:waiting', null);
  };
  const fault = (title: string, error: unknown) => {
    pending.addNotice({ title, message: error instanceof Error ? error.message : String(error), failed: true });
    announce();
  };

  const navigation: Navigation = {
    goTo,
    notify: tell,
    showError: fault,
    openLink(text) {
      try {
        const link = parseLink(text);
        const connection = connectionForLink(link, connections.list());
        if (connection !== null) return goTo(connection, link.path);
        goTo(connections.selected(), '/settings?tab=connections');
        tell({
          title: t('No connection to {cluster}', { cluster: link.cluster }),
          message: t(
            'The link points to a cluster that this app has no connection to. If you trust it, add a connection and open the link again.',
          ),
          failed: true,
        });
      } catch (error) {
        fault(t('Could not open the link'), error);
      }
    },
    async openFile(path) {
      try {
        pending.setFile(await readOpenedFile(path));
        announce();
      } catch (error) {
        fault(t('Could not open the file'), error);
      }
    },
    openAll({ links, files }) {
      const link = links.at(-1);
      const file = files.at(-1);
      if (link !== undefined) navigation.openLink(link);
      if (file !== undefined) void navigation.openFile(file);
    },
    async chooseFile() {
      const options = {
        title: t('Open a workflow or an incident'),
        properties: ['openFile' as const],
        filters: [{ name: t('Workflows and incidents'), extensions: ['json', 'yardmaster-incident'] }],
      };
      const over = BrowserWindow.getFocusedWindow() ?? window.current();
      const { filePaths } = await (over ? dialog.showOpenDialog(over, options) : dialog.showOpenDialog(options));
      const [path] = filePaths;
      if (path !== undefined) await navigation.openFile(path);
    },
  };
  return navigation;
}
