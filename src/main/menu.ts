import { app, Menu, shell, type MenuItemConstructorOptions } from 'electron';
import type { LocalStatus } from '../contract/ipc.ts';

export interface MenuActions {
  go(path: string): void;
  /** The console's own dialogs. */
  open(what: 'palette' | 'shortcuts'): void;
  startLocal(): void;
  stopLocal(): void;
  restartLocal(): void;
}

const PAGES = [
  ['Overview', '/'],
  ['Workflows', '/workflows'],
  ['Jobs', '/jobs'],
  ['Failures', '/failures'],
  ['Workers', '/workers'],
  ['Logs', '/logs'],
  ['Settings', '/settings'],
] as const;

/** The native menu, made anew when the local master's state changes. */
export function setMenu(actions: MenuActions, local: LocalStatus): void {
  const running = local.state === 'running' || local.state === 'starting' || local.state === 'restarting';
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    { label: '&File', submenu: [process.platform === 'darwin' ? { role: 'close' } : { label: 'Quit', accelerator: 'CmdOrCtrl+Q', click: () => app.quit() }] },
    { role: 'editMenu' },
    { label: '&Go', submenu: [...PAGES.map(([label, path], i) => ({ label, accelerator: `CmdOrCtrl+${i + 1}`, click: () => actions.go(path) })), { type: 'separator' }, { label: 'Go To…', accelerator: 'CmdOrCtrl+K', click: () => actions.open('palette') }] },
    {
      label: '&Cluster',
      submenu: [
        { label: `This machine: ${local.state}`, enabled: false },
        { label: 'Start', enabled: !running && local.state !== 'stopping', click: actions.startLocal },
        { label: 'Restart', enabled: local.state === 'running' && !local.adopted, click: actions.restartLocal },
        { label: 'Stop', enabled: running && !local.adopted, click: actions.stopLocal },
        { type: 'separator' },
        { label: 'Show Data Folder', click: () => void shell.openPath(local.dataFolder) },
      ],
    },
    {
      label: '&View',
      submenu: [
        { role: 'reload' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [{ type: 'separator' } as const, { role: 'toggleDevTools' } as const]),
      ],
    },
    { role: 'windowMenu' },
    { role: 'help', submenu: [{ label: 'Keyboard Shortcuts', click: () => actions.open('shortcuts') }] },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
