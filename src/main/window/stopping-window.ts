import { BrowserWindow } from 'electron';
import { currentLocale, t } from '../../lib/language.ts';

/** A short stop needs no window. */
const PATIENCE_MS = 400;

/** Tells, while `work` takes longer than a moment, that running tasks may end. */
export async function showStoppingWindow(seconds: number, work: Promise<void>): Promise<void> {
  let window: BrowserWindow | null = null;
  const timer = setTimeout(() => {
    window = new BrowserWindow({
      width: 420,
      height: 130,
      resizable: false,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      title: 'Yardmaster',
      autoHideMenuBar: true,
      webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false },
    });
    void window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(page(seconds))}`);
  }, PATIENCE_MS);
  try {
    await work;
  } finally {
    clearTimeout(timer);
    // The timer may have made it; the compiler sees that `null` alone.
    (window as BrowserWindow | null)?.destroy();
  }
}

const page = (
  seconds: number,
) => `<!doctype html><html lang="${currentLocale()}"><meta charset="utf-8"><title>Yardmaster</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body{font:14px system-ui,sans-serif;margin:24px;color:CanvasText;background:Canvas;color-scheme:light dark}</style>
<p role="status">${t('Yardmaster is stopping. Waiting for running tasks (max. {seconds} s); the rest continues at the next start.', { seconds })}</p>`;
