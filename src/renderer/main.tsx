import './styles/index.css';
import { speakLanguage } from './languages/choose.ts';
import { createPreferences } from './stores/preferences.ts';

/** Null where the browser forbids it. */
function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

// The language comes before every module that holds words; that is why the rest of the console is imported after it.
const kept = storage();
const preferences = createPreferences(kept);
await speakLanguage(preferences.getState().language, navigator.languages, document.documentElement);
const { start } = await import('./start.tsx');
await start(preferences, kept);
