import { createContext, useContext, useEffect, useRef } from 'react';
import type { Shortcut, ShortcutRegistry } from './shortcut-registry.ts';

export const ShortcutsContext = createContext<ShortcutRegistry | null>(null);

/** What a page can do that has no keys of its own, while the caller is drawn; found by its label in the palette. */
export function useCommands(commands: readonly { readonly label: string; run(): void }[]): void {
  const registry = useContext(ShortcutsContext);
  const latest = useRef(commands);
  latest.current = commands;
  const labels = commands.map(({ label }) => label).join('\n');
  useEffect(() => {
    const removes = latest.current.map(({ label }) =>
      registry?.add({
        id: `command:${label}`,
        keys: null,
        label,
        scope: 'page',
        run: () => latest.current.find((one) => one.label === label)?.run(),
      }),
    );
    return () => removes.forEach((remove) => remove?.());
  }, [registry, labels]);
}

/** A shortcut while the caller is drawn. `run` null: it would lead nowhere now. */
export function useShortcut(
  keys: string,
  label: string,
  run: (() => void) | null,
  scope: Shortcut['scope'] = 'page',
): void {
  const registry = useContext(ShortcutsContext);
  const latest = useRef(run);
  latest.current = run;
  const off = run === null;
  useEffect(
    () => (off ? undefined : registry?.add({ id: keys, keys, label, scope, run: () => latest.current?.() })),
    [registry, keys, label, scope, off],
  );
}
