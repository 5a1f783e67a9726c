/**
 * The words of the console in the reader's language. The English text is its own key, as in gettext, so that the code reads
 * as the screen does; another language is a catalogue from that text to its own. The language is chosen once, before the
 * modules that hold words are loaded (a change of it loads the window again): that is why it may be one value of the module,
 * and why `t` may be called anywhere in the console, also in a table of words at the top of a module.
 */
export type Catalogue = Readonly<Record<string, string>>;

export type Values = Readonly<Record<string, string | number>>;

/** Texts that few pages need, each kind by itself, read when a page asks for them. */
export type LaterTexts = Readonly<Partial<Record<'limits', () => Promise<Catalogue>>>>;

interface Language {
  readonly locale: string;
  readonly catalogue: Catalogue;
  readonly later: LaterTexts;
  readonly plural: Intl.PluralRules;
}

const ENGLISH: Language = { locale: 'en', catalogue: {}, later: {}, plural: new Intl.PluralRules('en') };
let language = ENGLISH;

/** Takes up a language (`locale` a BCP 47 tag) before anything is drawn. A text that its catalogue lacks stays English. */
export function setLanguage(locale: string, catalogue: Catalogue, later: LaterTexts = {}): void {
  language = { locale, catalogue, later, plural: new Intl.PluralRules(locale) };
}

/** The tag of the language spoken now, for `Intl` and for `<html lang>`. */
export const currentLocale = (): string => language.locale;

/** Texts of that kind in the language spoken now; null: it has none, and English says them elsewhere. */
export const readLaterTexts = (kind: keyof LaterTexts): Promise<Catalogue> | null => language.later[kind]?.() ?? null;

/** A word as it stands within a sentence: English writes it small there, German does not change its nouns. */
export const inSentence = (word: string): string => (language.locale.startsWith('en') ? word.toLowerCase() : word);

/**
 * `text` in the reader's language, with each `{name}` filled from `values`. A name without a value stays as it is.
 * A word that other languages say in several ways carries its use behind `##` (`Open##state` beside `Open`, the deed); English drops it.
 */
export function t(text: string, values?: Values): string {
  return filled(language.catalogue[text] ?? (text.includes('##') ? text.slice(0, text.indexOf('##')) : text), values);
}

/**
 * The form of `text` that goes with `count`: `one` for the singular of the language, `many` else; `{count}` is filled with it.
 * The catalogue's key is `many`; its value holds both forms with a bar between (`{count} Auftrag|{count} Aufträge`).
 */
export function tn(one: string, many: string, count: number, values?: Values): string {
  const single = language.plural.select(count) === 'one';
  const theirs = language.catalogue[many];
  const [first, second = first] = theirs === undefined ? [one, many] : theirs.split('|');
  return filled((single ? first : second) ?? many, { count: count.toLocaleString(language.locale), ...values });
}

function filled(text: string, values: Values | undefined): string {
  if (values === undefined) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
