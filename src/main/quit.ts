import { app } from 'electron';
import type { LocalMaster } from './local-master/local-master.ts';
import { showStoppingWindow } from './window/stopping-window.ts';

/** The way out. */
export interface QuitState {
  /** The app is ending: it opens no window any more. */
  isQuitting(): boolean;
  /** The system ends the app: it asks nobody whether it may. */
  isUrgent(): boolean;
  /** Once it has ended, it starts anew with these words of a command line, typed in `folder`. False: it is not ending. */
  relaunch(words: readonly string[], folder: string): boolean;
}

/** How the system ends programs: at a shutdown, a log-out, or in a terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The app ends once its master has: it takes no new work, lets running tasks end, and is gone before the app is.
 * `program`: what is started where somebody wants it back meanwhile; null: what runs now.
 */
export function quitInOrder(local: LocalMaster, drainSeconds: number, program: string | null): QuitState {
  let stopped = false;
  let stopping = false;
  let urgent = false;
  let again: string[] | null = null;
  // Electron sets its own handlers before it is ready. A second signal ends the process at once, as with those.
  void app.whenReady().then(() => {
    for (const signal of SIGNALS)
      process.once(signal, () => {
        urgent = true;
        app.quit();
      });
  });
  app.on('will-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    if (stopping) return;
    stopping = true;
    void showStoppingWindow(drainSeconds, local.stop()).finally(() => {
      stopped = true;
      if (again) app.relaunch({ args: again, ...(program === null ? {} : { execPath: program }) });
      // Asked within the event that was just held up, Electron takes it for the same asking and does nothing.
      setImmediate(() => app.quit());
    });
  });
  return {
    isQuitting: () => stopping,
    isUrgent: () => urgent,
    relaunch(words, folder) {
      if (!stopping) return false;
      again = [...words];
      try {
        process.chdir(folder);
      } catch {
        // It is gone: files named whole are found all the same.
      }
      return true;
    },
  };
}
