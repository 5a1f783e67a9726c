import type { DesktopPreferences } from '../../contract/desktop.ts';

export type NoteKind = 'alert' | 'bulk';

/** A note of the system, as Electron makes it. */
export interface SystemNote {
  on(event: 'click', listener: () => void): unknown;
  show(): void;
}

export interface NotesParts {
  supported(): boolean;
  make(note: { title: string; body: string }): SystemNote;
  preferences(): DesktopPreferences;
  /** Opens a place of a cluster in the window. */
  open(connection: string, path: string): void;
}

/** Notes that may be pressed; older ones are let go, so that none keeps the app from ending. */
const MOST_NOTES = 20;

/** Notes of the system, each kind as the user wants it. Pressing one opens what it speaks of, in the cluster that it came from. */
export function createNotes({ supported, make, preferences, open }: NotesParts) {
  // A note that nothing holds is collected, and its click is lost.
  const held: SystemNote[] = [];
  return {
    /** True: it is shown. */
    show({
      kind,
      title,
      body,
      connection,
      path,
    }: {
      kind: NoteKind;
      title: string;
      body: string;
      connection: string;
      path: string;
    }): boolean {
      const wanted = kind === 'alert' ? preferences().notifyAlerts : preferences().notifyBulk;
      if (!wanted || !supported()) return false;
      const note = make({ title, body });
      note.on('click', () => open(connection, path));
      held.push(note);
      if (held.length > MOST_NOTES) held.shift();
      note.show();
      return true;
    },
  };
}
export type Notes = ReturnType<typeof createNotes>;
