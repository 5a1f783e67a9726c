/**
 * One thing that the keyboard does. The list under `?`, the palette and the listener of the window all draw from the registry of
 * those that hold now; what the keys of a focused table, canvas or chart do is in `element-keys.ts`.
 */
export interface Shortcut {
  /** Of two with the same id the page's goes before the frame's, then the newest. */
  readonly id: string;
  /** What is typed, one key after the other, such as `g j`, `?` or `r`; `mod+k` with Ctrl or Cmd. Null: only in the palette. */
  readonly keys: string | null;
  readonly label: string;
  /** `frame`: it holds on every page. */
  readonly scope: 'page' | 'frame';
  run(): void;
}

const SEQUENCE_MS = 900;
/** A page that takes longer to be drawn is not waited for: by then something else is looked at. */
const AWAITED_MS = 30_000;
/** Marks the list of shortcuts. */
export const SHEET = 'data-shortcut-sheet';
const TYPING =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable="true"], .cm-editor';

/** The shortcuts that hold now; `letters` false: only those with Ctrl or Cmd. One listener for the whole window; typing in a field is never taken for a shortcut. */
export function createShortcutRegistry(now: () => number, letters: () => boolean = () => true) {
  const held = new Set<Shortcut>();
  const listeners = new Set<() => void>();
  let typed = '';
  let at = 0;
  let awaited: { readonly label: string; readonly until: number } | null = null;
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

  const onPage = ({ scope }: Shortcut) => scope === 'page';
  /** A page's own goes before the frame's, whichever was drawn first; then the newest. */
  const inForce = () =>
    new Map([...[...held].filter((one) => !onPage(one)), ...[...held].filter(onPage)].map((one) => [one.id, one]));
  const find = (keys: string) => [...inForce().values()].find((one) => one.keys === keys);
  function run(shortcut: Shortcut, event: KeyboardEvent) {
    typed = '';
    event.preventDefault();
    event.stopPropagation();
    for (const listener of listeners) listener();
    shortcut.run();
  }

  /** Whoever does anything else meanwhile may come back to that page for another reason. */
  const stopWaiting = () => void (awaited = null);

  /** The second key of a sequence goes before what the focused element does with it (`j` in a table, say). */
  function onCapture(event: KeyboardEvent) {
    // Not the key itself that asked for it, while it is held down.
    if (!event.repeat) stopWaiting();
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
    else if ([...held].some((shortcut) => shortcut.keys?.startsWith(`${key} `))) {
      typed = key;
      at = now();
    }
  }

  return {
    add(shortcut: Shortcut): () => void {
      held.add(shortcut);
      const isAwaited = awaited !== null && awaited.label === shortcut.label && now() < awaited.until;
      if (isAwaited) {
        awaited = null;
        // Whoever adds it is not drawn yet.
        queueMicrotask(() => held.has(shortcut) && shortcut.run());
      }
      return () => void held.delete(shortcut);
    },
    /** Runs what is called so once a page offers it, unless a key or the pointer is pressed before: for a page that is gone to next. */
    runOnceOffered(label: string): void {
      awaited = { label, until: now() + AWAITED_MS };
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
      window.addEventListener('pointerdown', stopWaiting, { capture: true });
      return () => {
        window.removeEventListener('keydown', onCapture, { capture: true });
        window.removeEventListener('keydown', onKeyDown);
        window.removeEventListener('pointerdown', stopWaiting, { capture: true });
      };
    },
  };
}
export type ShortcutRegistry = ReturnType<typeof createShortcutRegistry>;
