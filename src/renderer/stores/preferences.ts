import { createStore } from 'zustand/vanilla';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'compact' | 'regular' | 'comfortable';
/** `local`, `utc`, or the name of a zone such as `Europe/Berlin`. */
export type Zone = string;
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
  /** Keys without Ctrl or Cmd do something; whoever dictates, or whose hand slips, can switch them off. */
  letterKeys: boolean;
  /** The tour was taken or put aside. */
  toured: boolean;
}
export interface PreferencesState extends Preferences {
  set(change: Partial<Preferences>): void;
}

const KEY = 'yardmaster.preferences';
const DEFAULTS: Preferences = {
  theme: 'system',
  density: 'regular',
  zone: 'local',
  times: 'relative',
  language: 'system',
  navFolded: false,
  letterKeys: true,
  toured: false,
};
const CHOICES: { [K in 'theme' | 'density' | 'times' | 'language']: readonly string[] } = {
  theme: ['system', 'light', 'dark'],
  density: ['compact', 'regular', 'comfortable'],
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
      const { theme, density, zone, times, language, navFolded, letterKeys, toured } = get();
      try {
        storage?.setItem(KEY, JSON.stringify({ theme, density, zone, times, language, navFolded, letterKeys, toured }));
      } catch {
        // A full or forbidden storage loses the choice at the next start, nothing else.
      }
    },
  }));
}

function read(storage: Pick<Storage, 'getItem'> | null): Partial<Preferences> {
  try {
    const kept: Record<string, unknown> = JSON.parse(storage?.getItem(KEY) ?? '{}');
    const good = Object.entries(CHOICES).filter(([key, words]) => words.includes(String(kept[key])));
    return {
      ...Object.fromEntries(good.map(([key]) => [key, kept[key]])),
      ...(isZone(kept['zone']) ? { zone: kept['zone'] } : {}),
      navFolded: kept['navFolded'] === true,
      letterKeys: kept['letterKeys'] !== false,
      toured: kept['toured'] === true,
    };
  } catch {
    return {};
  }
}

/** What a browser cannot show times in is no choice. */
function isZone(zone: unknown): zone is Zone {
  if (zone === 'local' || zone === 'utc') return true;
  try {
    return (
      typeof zone === 'string' && new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
    );
  } catch {
    return false;
  }
}
