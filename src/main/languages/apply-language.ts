import type { DesktopPreferences } from '../../contract/desktop.ts';
import { setLanguage } from '../../lib/language.ts';
import { de } from './de.ts';

/** Menu, tray, notifications and dialogs of the system in the reader's language. `wished`: the system's tags, the dearest first. */
export function applyLanguage(choice: DesktopPreferences['language'], wished: readonly string[]): void {
  const base = (tag: string) => tag.toLowerCase().split('-', 1)[0];
  const language =
    choice === 'system' ? (wished.map(base).find((tag) => tag === 'de' || tag === 'en') ?? 'en') : choice;
  setLanguage(wished.find((tag) => base(tag) === language) ?? language, language === 'de' ? de : {});
}
