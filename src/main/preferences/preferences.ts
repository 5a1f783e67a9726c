import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { keysOf } from '../../contract/tables.ts';
import { isOneOf } from '../../lib/is-one-of.ts';
import { DEFAULT_PREFERENCES, type DesktopPreferences, MAX_PORT, type PortPreference } from '../../contract/desktop.ts';

export interface PreferencesStore {
  get(): DesktopPreferences;
  set(change: Partial<DesktopPreferences>): DesktopPreferences;
  onChange(listener: (preferences: DesktopPreferences) => void): void;
}

const CLOSES = ['ask', 'tray', 'quit'] as const;
const LANGUAGES = ['system', 'en', 'de'] as const;

/** How the app behaves on this machine, kept in `file`. A damaged value counts as its default. */
export function createPreferencesStore(file: string): PreferencesStore {
  const listeners: ((preferences: DesktopPreferences) => void)[] = [];
  let kept = read(file);
  return {
    get: () => kept,
    set(change) {
      if (keysOf(change).every((name) => kept[name] === change[name])) return kept;
      kept = { ...kept, ...change };
      mkdirSync(dirname(file), { recursive: true });
      const half = `${file}.${process.pid}.tmp`;
      writeFileSync(half, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
      renameSync(half, file);
      for (const listener of listeners) listener(kept);
      return kept;
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function read(file: string): DesktopPreferences {
  let saved: Partial<Record<keyof DesktopPreferences, unknown>> = {};
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (value !== null && typeof value === 'object') saved = value;
  } catch {
    // First start, or a damaged file: the defaults hold.
  }
  const flag = (name: 'notifyAlerts' | 'notifyBulk' | 'badge' | 'startAtLogin' | 'updateCheck') =>
    typeof saved[name] === 'boolean' ? saved[name] : DEFAULT_PREFERENCES[name];
  const port = (name: PortPreference) => {
    const value = saved[name];
    return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_PORT ? value : null;
  };
  return {
    onClose: isOneOf(CLOSES, saved.onClose) ? saved.onClose : DEFAULT_PREFERENCES.onClose,
    notifyAlerts: flag('notifyAlerts'),
    notifyBulk: flag('notifyBulk'),
    badge: flag('badge'),
    startAtLogin: flag('startAtLogin'),
    updateFeed: typeof saved.updateFeed === 'string' ? saved.updateFeed : null,
    updateCheck: flag('updateCheck'),
    language: isOneOf(LANGUAGES, saved.language) ? saved.language : DEFAULT_PREFERENCES.language,
    masterPort: port('masterPort'),
    logstashPort: port('logstashPort'),
    logStorePort: port('logStorePort'),
    metricsPort: port('metricsPort'),
  };
}
