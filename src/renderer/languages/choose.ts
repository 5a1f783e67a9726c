import { setLanguage, type Catalogue, type LaterTexts } from '../../lib/language.ts';

/** The languages of the console, each named in itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

/** Each catalogue is a chunk of its own: who reads English loads none. */
const CATALOGUES: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: () => Promise.resolve({}),
  de: () => import('./de.ts').then(({ de }) => de),
};

/** What the settings say of each limit: English has it in the docs. */
const LATER: Readonly<Partial<Record<Language, LaterTexts>>> = {
  de: { limits: () => import('./limit-meanings/de.ts').then(({ limitMeanings }) => limitMeanings) },
};

const base = (tag: string): string => tag.toLowerCase().split('-', 1)[0] ?? '';
const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

/**
 * The language to speak and the tag for dates and numbers. `wished` are the browser's tags, the dearest first: `de-AT` speaks
 * German with Austria's numbers. A chosen language keeps the region that the browser has for it.
 */
export function chosenLanguage(
  choice: 'system' | Language,
  wished: readonly string[],
): { language: Language; locale: string } {
  const language = choice === 'system' ? (wished.map(base).find(isLanguage) ?? 'en') : choice;
  return { language, locale: wished.find((tag) => base(tag) === language) ?? language };
}

/** Takes up the language for this window. A catalogue that cannot be loaded leaves English. */
export async function speakLanguage(
  choice: 'system' | Language,
  wished: readonly string[],
  page: Pick<HTMLElement, 'lang'>,
): Promise<void> {
  const { language, locale } = chosenLanguage(choice, wished);
  const catalogue = await CATALOGUES[language]().catch(() => null);
  setLanguage(catalogue === null ? 'en' : locale, catalogue ?? {}, catalogue === null ? {} : LATER[language]);
  page.lang = catalogue === null ? 'en' : language;
}
