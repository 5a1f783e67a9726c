import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { Connection, LocalStatus } from '../contract/ipc.ts';
import { t } from '../lib/language.ts';
import { menuLabel } from './languages/menu-label.ts';
import { stateLabel } from './local-master/state-label.ts';
import type { ZoomStep } from './window/zoom.ts';

export interface MenuActions {
  go(path: string): void;
  /** The console's own dialogs. */
  open(what: 'palette' | 'shortcuts'): void;
  openFile(): void;
  copyLink(): void;
  back(): void;
  forward(): void;
  switchTo(connection: string): void;
  startLocal(): void;
  stopLocal(): void;
  restartLocal(): void;
  zoom(way: ZoomStep): void;
  /** A key, in the page. */
  press(key: string, modifiers: ('control' | 'shift')[]): void;
  showDataFolder(): void;
  checkForUpdates(): void;
  showReports(): void;
}

export interface MenuState {
  local: LocalStatus;
  connections: readonly Connection[];
  /** Developer tools, which an installed app does not offer. */
  developer: boolean;
}

/** In the order of the console's own menu, each with the number that goes there: there are nine, and more pages. */
const pages = () =>
  [
    [t('Overview'), '/', '1'],
    [t('Workflows'), '/workflows', '2'],
    [t('Schedules'), '/schedules', null],
    [t('Jobs'), '/jobs', '3'],
    [t('Failures'), '/failures', '4'],
    [t('Workers'), '/workers', '5'],
    [t('Logs'), '/logs', '6'],
    [t('Dashboards'), '/dashboards', '7'],
    [t('Alerts'), '/alerts', '8'],
    [t('Cluster'), '/cluster', null],
    [t('Fleet'), '/fleet', '9'],
  ] as const;

/** An item takes one accelerator: the other keys that browsers take for it stand beside it, unseen. */
const zoomItems = (zoom: MenuActions['zoom']): MenuItemConstructorOptions[] =>
  (
    [
      [t('Actual Size'), 'reset', '0', ['num0']],
      [t('Zoom In'), 'in', 'Plus', ['=', 'numadd']],
      [t('Zoom Out'), 'out', '-', ['numsub']],
    ] as const
  ).flatMap(([label, way, key, others]) => [
    { label, accelerator: `CmdOrCtrl+${key}`, click: () => zoom(way) },
    ...others.map((other) => ({ label, accelerator: `CmdOrCtrl+${other}`, visible: false, click: () => zoom(way) })),
  ]);

/**
 * The page has more to undo than text: a step of the builder. So it is pressed as on the keyboard, which reaches whatever
 * has the focus; the keys themselves go to the page without the menu. macOS undoes text by no key of the page.
 */
const historyItems = (press: MenuActions['press'], mac: boolean): MenuItemConstructorOptions[] =>
  mac
    ? [
        { role: 'undo', label: t('Undo') },
        { role: 'redo', label: t('Redo') },
      ]
    : [
        { label: t('Undo'), accelerator: 'Ctrl+Z', registerAccelerator: false, click: () => press('Z', ['control']) },
        {
          label: t('Redo'),
          accelerator: 'Ctrl+Shift+Z',
          registerAccelerator: false,
          click: () => press('Z', ['control', 'shift']),
        },
      ];

/** The native menu, made anew when the local master's state or the connections change. */
export function setMenu(actions: MenuActions, { local, connections, developer }: MenuState): void {
  const running = local.state === 'running' || local.state === 'starting' || local.state === 'restarting';
  const mac = process.platform === 'darwin';
  const line: MenuItemConstructorOptions = { type: 'separator' };
  const settings: MenuItemConstructorOptions = {
    label: t('Settings'),
    accelerator: 'CmdOrCtrl+,',
    click: () => actions.go('/settings'),
  };
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: t('&File'),
      submenu: [
        { label: t('New Workflow…'), accelerator: 'CmdOrCtrl+N', click: () => actions.go('/workflows?create=true') },
        { label: t('Open File…'), accelerator: 'CmdOrCtrl+O', click: actions.openFile },
        line,
        { label: t('Copy Link to This Page'), accelerator: 'CmdOrCtrl+Shift+C', click: actions.copyLink },
        line,
        settings,
        line,
        { role: 'close', label: t('Close Window'), accelerator: 'CmdOrCtrl+W' },
        ...(mac ? [] : [{ label: t('Quit'), accelerator: 'CmdOrCtrl+Q', click: () => app.quit() }]),
      ],
    },
    {
      label: t('&Edit'),
      submenu: [
        ...historyItems(actions.press, mac),
        line,
        { role: 'cut', label: t('Cut') },
        { role: 'copy', label: t('Copy') },
        { role: 'paste', label: t('Paste') },
        { role: 'selectAll', label: t('Select All') },
      ],
    },
    {
      label: t('&Go'),
      submenu: [
        { label: t('Back'), accelerator: mac ? 'Cmd+[' : 'Alt+Left', click: actions.back },
        { label: t('Forward'), accelerator: mac ? 'Cmd+]' : 'Alt+Right', click: actions.forward },
        line,
        ...pages().map(([label, path, number]) => ({
          label,
          ...(number === null ? {} : { accelerator: `CmdOrCtrl+${number}` }),
          click: () => actions.go(path),
        })),
        line,
        { label: t('Go To…'), accelerator: 'CmdOrCtrl+K', click: () => actions.open('palette') },
      ],
    },
    {
      label: t('&Cluster'),
      submenu: [
        ...connections.map(({ id, name, selected }, i) => ({
          label: menuLabel(name),
          type: 'radio' as const,
          checked: selected,
          ...(i < 9 ? { accelerator: `CmdOrCtrl+Alt+${i + 1}` } : {}),
          click: () => actions.switchTo(id),
        })),
        { label: t('Manage Connections…'), click: () => actions.go('/settings?tab=connections') },
        line,
        {
          label: t('Local master: {state}', {
            state: local.adopted ? t('running, started outside the app') : stateLabel(local.state),
          }),
          enabled: false,
        },
        { label: t('Start'), enabled: !running && local.state !== 'stopping', click: actions.startLocal },
        { label: t('Restart'), enabled: local.state === 'running' && !local.adopted, click: actions.restartLocal },
        { label: t('Stop'), enabled: running && !local.adopted, click: actions.stopLocal },
        line,
        { label: t('Show Data Folder'), click: actions.showDataFolder },
      ],
    },
    {
      label: t('&View'),
      submenu: [
        { role: 'reload', label: t('Reload') },
        line,
        ...zoomItems(actions.zoom),
        { role: 'togglefullscreen', label: t('Full Screen') },
        ...(developer ? [line, { role: 'toggleDevTools', label: t('Developer Tools') } as const] : []),
      ],
    },
    {
      role: 'window',
      label: t('&Window'),
      submenu: [
        { role: 'minimize', label: t('Minimise') },
        ...(mac
          ? [{ role: 'zoom' } as const, line, { role: 'front' } as const]
          : [{ role: 'close', label: t('Close Window') } as const]),
      ],
    },
    {
      role: 'help',
      label: t('&Help'),
      submenu: [
        {
          label: t('Keyboard Shortcuts'),
          accelerator: mac ? 'Cmd+/' : 'Ctrl+/',
          click: () => actions.open('shortcuts'),
        },
        line,
        { label: t('Check for Updates…'), click: actions.checkForUpdates },
        { label: t('Show Crash Reports'), click: actions.showReports },
        line,
        { label: t('About Yardmaster'), click: () => actions.go('/settings?tab=about') },
      ],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
