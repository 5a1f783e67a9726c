import type { DesktopPreferences } from '../../contract/desktop.ts';

/** `stay`: the window stays open, nothing happens. */
export interface CloseChoice {
  choice: 'tray' | 'quit' | 'stay';
  remember: boolean;
}

export interface ClosePolicyDeps {
  preferences(): DesktopPreferences;
  prefer(onClose: DesktopPreferences['onClose']): void;
  hasTray(): boolean;
  /** Jobs that run in the master of this app, which would end with it; null: it did not say. */
  runningHere(): Promise<number | null>;
  ask(running: number | null): Promise<CloseChoice>;
  hide(): void;
  quit(): void;
}

/** What closing the window does: it may close at once, go on in the tray, or the user is asked while jobs run here. */
export function createClosePolicy(parts: ClosePolicyDeps) {
  let quitting = false;
  let asking = false;

  async function decide(): Promise<void> {
    // A master that is too busy to say so may well run jobs.
    const running = await parts.runningHere().catch(() => null);
    if (quitting) return;
    if (running === 0) return parts.quit();
    const { choice, remember } = await parts.ask(running);
    if (choice === 'stay') return;
    if (remember) parts.prefer(choice);
    if (choice === 'tray') parts.hide();
    else parts.quit();
  }

  return {
    /** The app is about to end: nothing more is asked. */
    quitting: () => void (quitting = true),
    /** It does not end, since its page holds what is not saved. */
    stayed: () => void (quitting = false),
    /** False: the window stays for now. */
    mayClose(): boolean {
      const { onClose } = parts.preferences();
      if (quitting || onClose === 'quit' || !parts.hasTray()) return true;
      if (onClose === 'tray') {
        parts.hide();
        return false;
      }
      if (!asking) {
        asking = true;
        void decide().finally(() => {
          asking = false;
        });
      }
      return false;
    },
  };
}
