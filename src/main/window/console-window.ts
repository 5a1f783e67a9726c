import { BrowserWindow, nativeTheme, screen } from 'electron';
import { CONSOLE_SCHEME, type IpcEvent, type IpcEvents } from '../../contract/ipc.ts';
import { isMasterPath } from '../console/master-paths.ts';
import { askBeforeUnload, type UnloadQuestion } from './ask-before-unload.ts';
import { readWindowState, MIN_WINDOW_SIZE, writeWindowState } from './window-state.ts';
import { nextZoom, type ZoomStep } from './zoom.ts';

export interface ConsoleWindow {
  /** Opens the console of a connection at `path`, in a new window where there is none. */
  show(connection: string, path: string): void;
  focus(): void;
  hide(): void;
  zoom(way: ZoomStep): void;
  /** Null: there is none. */
  current(): BrowserWindow | null;
  send<E extends IpcEvent>(event: E, data: IpcEvents[E]): void;
}

export interface WindowOptions {
  preload: string;
  /** Remembers place, size and zoom. */
  stateFile: string;
  /** The user closes the window. False: it stays, and who was asked sees to the rest. */
  mayClose(): boolean;
  /** The title of the window over a page of that title. */
  titleOf(page: string): string;
  /** True: the app is ending, and opens no window any more. */
  isQuitting(): boolean;
  /** Asked where a form of the page holds what was not saved. */
  unload: UnloadQuestion;
}

/** The one window. */
export function createConsoleWindow({
  preload,
  stateFile,
  mayClose,
  titleOf,
  isQuitting,
  unload,
}: WindowOptions): ConsoleWindow {
  let window: BrowserWindow | null = null;
  let leavesBy: (goOn: () => void) => void = () => undefined;
  let zoom = 1;
  const keep = (made: BrowserWindow) =>
    writeWindowState(stateFile, { box: made.getNormalBounds(), maximized: made.isMaximized(), zoom });

  function zoomBy(way: ZoomStep) {
    if (window === null) return;
    zoom = nextZoom(zoom, way);
    window.webContents.setZoomFactor(zoom);
    keep(window);
  }

  function open(): BrowserWindow {
    const state = readWindowState(
      stateFile,
      screen.getAllDisplays().map((d) => d.workArea),
    );
    ({ zoom } = state);
    const made = new BrowserWindow({
      ...(state.box ?? { width: 1440, height: 900 }),
      minWidth: MIN_WINDOW_SIZE.width,
      minHeight: MIN_WINDOW_SIZE.height,
      show: false,
      title: 'Yardmaster',
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff',
      webPreferences: {
        preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
      },
    });
    if (state.maximized) made.maximize();
    made.once('ready-to-show', () => made.show());
    const leaves = askBeforeUnload(made, unload);
    leavesBy = leaves;
    made.on('close', (event) => {
      keep(made);
      if (!mayClose()) return event.preventDefault();
      // The app ends with its window: this is also how it quits.
      leaves(() => made.close());
    });
    made.on('page-title-updated', (event, title) => {
      event.preventDefault();
      made.setTitle(titleOf(title));
    });
    made.on('closed', () => {
      window = null;
    });
    // Chromium zooms each host by itself; here a host is a cluster, and the eyes before it are the same.
    made.webContents.on('did-navigate', () => made.webContents.setZoomFactor(zoom));
    made.webContents.on('zoom-changed', (_event, way) => zoomBy(way));
    // A page whose process died is loaded anew, once a second at most.
    made.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') setTimeout(() => !made.isDestroyed() && made.webContents.reload(), 1000);
    });
    return made;
  }

  return {
    show(connection, path) {
      const fresh = window === null;
      if (fresh && isQuitting()) return;
      window ??= open();
      if (!fresh) window.show();
      const { webContents } = window;
      const load = () =>
        void webContents.loadURL(`${CONSOLE_SCHEME}://${connection}${consolePath(path)}`).catch(() => {
          // Superseded by another load, or the window was closed meanwhile.
        });
      leavesBy(load);
      load();
    },
    focus() {
      if (window?.isMinimized()) window.restore();
      window?.show();
      window?.focus();
    },
    hide: () => window?.hide(),
    zoom: zoomBy,
    current: () => window,
    send: (event, data) => window?.webContents.send(event, data),
  };
}

/** A place of the console, from `/`: what a master answers itself is none. */
function consolePath(path: string): string {
  const place = path.startsWith('/') ? path : `/${path}`;
  return isMasterPath(new URL(`${CONSOLE_SCHEME}://place${place}`).pathname) ? '/' : place;
}
