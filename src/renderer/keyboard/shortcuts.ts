import { createContext, useContext, useEffect, useRef } from 'react';

/** `keys`: what is typed, one key after the other, such as `g j`, `?` or `r`; `mod+k` with Ctrl or Cmd. */
export interface Shortcut {
  keys: string;
  label: string;
  /** Of the frame: it holds on every page. */
  frame?: boolean;
  run(): void;
}

const SEQUENCE_MS = 900;
/** Marks the list of shortcuts. */
export const SHEET = 'data-shortcut-sheet';
const TYPING =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable="true"], .cm-editor';

/** The shortcuts that hold now; `letters` false: only those with Ctrl or Cmd. One listener for the whole window; typing in a field is never taken for a shortcut. */
export function createShortcuts(now: () => number, letters: () => boolean = () => true) {
  const held = new Set<Shortcut>();
  const listeners = new Set<() => void>();
  let typed = '';
  let at = 0;
  /** Not for shortcuts when it came in: a dialog that it closed on its way does not make it one. */
  let refused: KeyboardEvent | null = null;

  /** The key as it is named in `keys`; null where it is none for shortcuts now. */
  function keyOf(event: KeyboardEvent): string | null {
    const mod = event.ctrlKey || event.metaKey;
    if (event.isComposing || event.altKey || ['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) return null;
    if (mod) return `mod+${event.key.toLowerCase()}`;
    // Types nothing, and is no key of a dialog.
    if (/^F\d+$/.test(event.key)) return event.key.toLowerCase();
    if (!letters() || (event.target instanceof Element && event.target.closest(TYPING))) return null;
    // A dialog has the keyboard to itself, but for the list of what it does: that goes away once something of it is typed.
    for (const dialog of document.querySelectorAll('[role="dialog"][aria-modal="true"]'))
      if (dialog.querySelector(`[${SHEET}]`) === null) return null;
    return event.key.length === 1 ? event.key : event.key.toLowerCase();
  }

  const onPage = ({ frame }: Shortcut) => frame !== true;
  /** A page's own goes before the frame's, whichever was drawn first; then the newest. */
  const inForce = () =>
    new Map([...[...held].filter((one) => !onPage(one)), ...[...held].filter(onPage)].map((one) => [one.keys, one]));
  const find = (keys: string) => inForce().get(keys);
  function run(shortcut: Shortcut, event: KeyboardEvent) {
    typed = '';
    event.preventDefault();
    event.stopPropagation();
    for (const listener of listeners) listener();
    shortcut.run();
  }

  /** The second key of a sequence goes before what the focused element does with it (`j` in a table, say). */
  function onCapture(event: KeyboardEvent) {
    const key = keyOf(event);
    if (key === null) refused = event;
    if (key === null || typed === '') return;
    const found = now() - at < SEQUENCE_MS ? find(`${typed} ${key}`) : undefined;
    if (found) run(found, event);
    else typed = '';
  }

  function onKeyDown(event: KeyboardEvent) {
    const key = event.defaultPrevented || event === refused ? null : keyOf(event);
    if (key === null) return;
    const found = find(key);
    if (found) run(found, event);
    else if ([...held].some((shortcut) => shortcut.keys.startsWith(`${key} `))) {
      typed = key;
      at = now();
    }
  }

  return {
    add(shortcut: Shortcut): () => void {
      held.add(shortcut);
      return () => void held.delete(shortcut);
    },
    /** Calls back right before one runs. */
    beforeEach(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Those in force, the page's first. */
    list(): Shortcut[] {
      const all = [...inForce().values()];
      return [...all.filter(onPage), ...all.filter((one) => !onPage(one))];
    },
    listen(window: Window): () => void {
      window.addEventListener('keydown', onCapture, { capture: true });
      window.addEventListener('keydown', onKeyDown);
      return () => {
        window.removeEventListener('keydown', onCapture, { capture: true });
        window.removeEventListener('keydown', onKeyDown);
      };
    },
  };
}
export type Shortcuts = ReturnType<typeof createShortcuts>;

export const ShortcutsContext = createContext<Shortcuts | null>(null);

/** What the `keys` of a command of a page begin with: it is only in the palette. */
const PALETTE = 'palette:';
export const hasKeys = ({ keys }: Pick<Shortcut, 'keys'>): boolean => !keys.startsWith(PALETTE);

/** What a page can do that has no keys of its own, while the caller is drawn; found by its label in the palette. */
export function useCommands(commands: readonly { readonly label: string; run(): void }[]): void {
  const shortcuts = useContext(ShortcutsContext);
  const latest = useRef(commands);
  latest.current = commands;
  const labels = commands.map(({ label }) => label).join('\n');
  useEffect(() => {
    const removes = latest.current.map(({ label }) =>
      shortcuts?.add({
        keys: `${PALETTE}${label}`,
        label,
        run: () => latest.current.find((one) => one.label === label)?.run(),
      }),
    );
    return () => removes.forEach((remove) => remove?.());
  }, [shortcuts, labels]);
}

/** A shortcut while the caller is drawn; listed under `?` and in the palette. `run` null: it would lead nowhere now. Of two with the same keys the page's wins, then the newest. */
export function useShortcut(keys: string, label: string, run: (() => void) | null, frame = false): void {
  const shortcuts = useContext(ShortcutsContext);
  const latest = useRef(run);
  latest.current = run;
  const off = run === null;
  useEffect(
    () => (off ? undefined : shortcuts?.add({ keys, label, frame, run: () => latest.current?.() })),
    [shortcuts, keys, label, frame, off],
  );
}
