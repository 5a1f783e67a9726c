import type { BrowserWindow } from 'electron';

export interface UnloadQuestion {
  /** True: what was entered may be lost. */
  ask(): Promise<boolean>;
  /** It may not, and the page stays. */
  onStay(): void;
  /** The system ends the app, and nobody may be there to answer. */
  isUrgent(): boolean;
}

/**
 * Asks before a page goes away with what was entered in it, and then does what was to be done. The page may not wait for the answer
 * meanwhile: what it shows comes by way of this process. Returns how to say what is about to take the page away; a page goes by itself
 * only to be loaded anew.
 */
export function askBeforeUnload(
  window: BrowserWindow,
  { ask, onStay, isUrgent }: UnloadQuestion,
): (goOn: () => void) => void {
  const { webContents } = window;
  const reload = () => webContents.reload();
  let next = reload;
  /** What the answer is for. */
  let wanted = reload;
  let isAsking = false;
  let isAgreed = false;
  webContents.on('did-navigate', () => {
    next = reload;
    isAgreed = false;
  });
  // The event says that the page wants to stay; to prevent it means that it goes.
  webContents.on('will-prevent-unload', (event) => {
    if (isAgreed || isUrgent()) return event.preventDefault();
    const goOn = next;
    next = reload;
    // What is asked for while the question is open takes the place of what it was opened for.
    if (!isAsking || goOn !== reload) wanted = goOn;
    if (isAsking) return;
    isAsking = true;
    if (window.isMinimized()) window.restore();
    window.show();
    void ask()
      .then((isLost) => {
        if (!isLost) return onStay();
        if (webContents.isDestroyed()) return;
        isAgreed = true;
        wanted();
      })
      .finally(() => {
        isAsking = false;
      });
  });
  return (goOn) => {
    next = goOn;
  };
}
