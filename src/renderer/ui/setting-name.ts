import { t } from '../../lib/language.ts';

/** `codeMemoryBytes` as `Code memory`, or by the name that the reader's language has for it (a setting of a newer master has none). */
export function settingName(name: string): string {
  const asSetting = `${name}##setting`;
  const theirs = t(asSetting);
  if (theirs !== name) return theirs;
  const text = name
    .replace(/^shadowReplays/, 'backtests')
    .replace(/^shadow/, 'backtest')
    .replace(/(Bytes|Seconds|Hours|Days|Ms)$/, '')
    .replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\brollup\b/, 'roll-up')
    .replace(/\b(json|http)\b/g, (word) => word.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}
