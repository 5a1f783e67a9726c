import { createStore } from 'zustand/vanilla';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'compact' | 'regular' | 'comfortable';
export type Zone = 'local' | 'utc';
export type TimeForm = 'relative' | 'absolute';
/** `system` follows the browser. */
export type LanguageChoice = 'system' | 'en' | 'de';

/** What a viewer chose; kept in this browser, in one entry. */
export interface Preferences {
  theme: Theme;
  density: Density;
  zone: Zone;
  times: TimeForm;
  /** Takes effect when the window is loaded again. */
  language: LanguageChoice;
  navFolded: boolean;
}
export interface PreferencesState extends Preferences {
  set(change: Partial<Preferences>): void;
}

const KEY = 'yardmaster.preferences';
const DEFAULTS: Preferences = { theme: 'system', density: 'regular', zone: 'local', times: 'relative', language: 'system', navFolded: false };
const CHOICES: { [K in 'theme' | 'density' | 'zone' | 'times' | 'language']: readonly string[] } = {
  theme: ['system', 'light', 'dark'],
  density: ['compact', 'regular', 'comfortable'],
  zone: ['local', 'utc'],
  times: ['relative', 'absolute'],
  language: ['system', 'en', 'de'],
};

/** Storage may be absent or full: the choice then lasts for this window. */
export function createPreferences(storage: Pick<Storage, 'getItem' | 'setItem'> | null) {
  return createStore<PreferencesState>()((set, get) => ({
    ...DEFAULTS,
    ...read(storage),
    set(change) {
      set(change);
      const { theme, density, zone, times, language, navFolded } = get();
      try {
        storage?.setItem(KEY, JSON.stringify({ theme, density, zone, times, language, navFolded }));
      } catch {
        // A full or forbidden storage loses the choice at the next start, nothing else.
      }
    },
  }));
}

function read(storage: Pick<Storage, 'getItem'> | null): Partial<Preferences> {
  try {
    const kept = JSON.parse(storage?.getItem(KEY) ?? '{}') as Record<string, unknown>;
    const good = Object.entries(CHOICES).filter(([key, words]) => words.includes(kept[key] as string));
    return { ...Object.fromEntries(good.map(([key]) => [key, kept[key]])), navFolded: kept['navFolded'] === true };
  } catch {
    return {};
  }
}
