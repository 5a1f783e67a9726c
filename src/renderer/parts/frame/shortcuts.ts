import { createContext, useContext, useEffect, useRef } from 'react';

/** `keys`: what is typed, one key after the other, such as `g j`, `?` or `r`; `mod+k` with Ctrl or Cmd. */
export interface Shortcut {
  keys: string;
  label: string;
  run(): void;
}

const SEQUENCE_MS = 900;
const TYPING = 'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable="true"], .cm-editor';

/** The shortcuts that hold now. One listener for the whole window; typing in a field is never taken for a shortcut. */
export function createShortcuts(now: () => number) {
  const held = new Set<Shortcut>();
  let typed = '';
  let at = 0;

  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented || event.isComposing) return;
    const target = event.target instanceof Element ? event.target : null;
    const mod = event.ctrlKey || event.metaKey;
    if (event.altKey || ['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) return;
    if (!mod && target?.closest(TYPING)) return;
    // A dialog has the keyboard to itself.
    if (!mod && document.querySelector('[role="dialog"][aria-modal="true"]')) return;
    const key = mod ? `mod+${event.key.toLowerCase()}` : event.key.length === 1 ? event.key : event.key.toLowerCase();
    typed = !mod && now() - at < SEQUENCE_MS && typed !== '' ? `${typed} ${key}` : key;
    at = now();
    const all = [...held].reverse();
    const found = all.find((shortcut) => shortcut.keys === typed) ?? all.find((shortcut) => shortcut.keys === key);
    if (!found) {
      if (!all.some((shortcut) => shortcut.keys.startsWith(`${typed} `))) typed = all.some((shortcut) => shortcut.keys.startsWith(`${key} `)) ? key : '';
      return;
    }
    typed = '';
    event.preventDefault();
    found.run();
  }

  return {
    add(shortcut: Shortcut): () => void {
      held.add(shortcut);
      return () => void held.delete(shortcut);
    },
    list: (): Shortcut[] => [...held],
    listen(window: Window): () => void {
      window.addEventListener('keydown', onKeyDown);
      return () => window.removeEventListener('keydown', onKeyDown);
    },
  };
}
export type Shortcuts = ReturnType<typeof createShortcuts>;

export const ShortcutsContext = createContext<Shortcuts | null>(null);

/** A shortcut while the caller is drawn; listed under `?`. The newest of two with the same keys wins. */
export function useShortcut(keys: string, label: string, run: () => void): void {
  const shortcuts = useContext(ShortcutsContext);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => shortcuts?.add({ keys, label, run: () => latest.current() }), [shortcuts, keys, label]);
}
