import { join } from 'node:path';
import { app, type BrowserWindow, nativeImage } from 'electron';
import { tn } from '../../lib/language.ts';

/** Shows how many alerts fire on the app's own icon: a number where the system draws one, a dot over the icon on Windows. */
export function createBadge(folder: string, window: () => BrowserWindow | null): (alerts: number) => void {
  let shown = 0;
  return (alerts) => {
    if (alerts === shown) return;
    shown = alerts;
    if (process.platform === 'win32')
      window()?.setOverlayIcon(
        alerts > 0 ? nativeImage.createFromPath(join(folder, 'overlay.png')) : null,
        alerts > 0 ? tn('{count} alert firing', '{count} alerts firing', alerts) : '',
      );
    else app.setBadgeCount(alerts);
  };
}
