import { app, session, shell, type WebContents } from 'electron';
import { CONSOLE_SCHEME } from '../../contract/ipc.ts';
import { isMasterPath } from '../console/master-paths.ts';

/** The console copies links and ids; all else that a page may ask for is refused. */
const GRANTED = 'clipboard-sanitized-write';

export const isConsole = (url: string): boolean => url.startsWith(`${CONSOLE_SCHEME}://`);

/** https alone leaves the app, by the system's browser. Returns whether it did. */
export function openOutside(url: string): boolean {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') return false;
  void shell.openExternal(url);
  return true;
}

/**
 * Shuts every way out of the page: permissions, navigation (main alone changes the origin, and no answer of a master
 * becomes the page), new windows, webviews.
 * `documentation` opens a path of the shown master, such as /docs, in the system's browser.
 */
export function guardContents(documentation: (url: URL) => void): void {
  session.defaultSession.setPermissionRequestHandler((contents, permission, answer) =>
    answer(permission === GRANTED && isConsole(contents.getURL())),
  );
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission: string, origin) => permission === GRANTED && isConsole(origin),
  );
  session.defaultSession.setDevicePermissionHandler(() => false);
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.on('will-navigate', (event) => {
      if (!sameOrigin(event.url, contents.getURL()) || isMasterPath(new URL(event.url).pathname))
        event.preventDefault();
    });
    contents.on('will-frame-navigate', (event) => {
      if (!event.isMainFrame) event.preventDefault();
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      if (sameOrigin(url, contents.getURL())) documentation(new URL(url));
      else openOutside(url);
      return { action: 'deny' };
    });
  });
}

/** `URL.origin` is "null" for a scheme of our own. */
function sameOrigin(a: string, b: string): boolean {
  if (!isConsole(a) || !URL.canParse(a) || !URL.canParse(b)) return false;
  return new URL(a).protocol === new URL(b).protocol && new URL(a).host === new URL(b).host;
}
