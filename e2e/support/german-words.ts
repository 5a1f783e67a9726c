import type { Page } from '@playwright/test';
import { de } from '../../src/renderer/languages/de.ts';

/** What a person reads or hears on the page, outside of data that people and programs made. */
const wordsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const data = 'pre, code, time, .mono, .cm-editor, [role="log"]';
    const found = new Set<string>();
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      if (element.closest(data) !== null || !element.checkVisibility()) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'data-hint'])
        found.add(element.getAttribute(name)?.trim() ?? '');
      for (const child of element.childNodes)
        if (child.nodeType === Node.TEXT_NODE) found.add(child.textContent?.trim() ?? '');
    }
    return [...found].filter((text) => /\p{L}{2}/u.test(text));
  });

/** What people and the master wrote: names, descriptions; and the type of a node, which is no word of the console. */
const DATA =
  /^(?:output$|Scores a support ticket|First-line support: |Default$|Example$|Body$|error$|Test an |Desktop)/;

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Texts of the English console that are others in German, as patterns; those that are a gap and little else would match anything. */
const ENGLISH = Object.entries(de)
  .filter(
    ([english, german]) =>
      english !== german && english.replaceAll(/\{\w+\}/g, '').replaceAll(/\P{L}/gu, '').length > 3,
  )
  .map(
    ([english]) =>
      new RegExp(
        `^${english
          .split(/\{\w+\}/)
          .map(literal)
          .join('.+')}$`,
        's',
      ),
  );
const GERMAN: ReadonlySet<string> = new Set(Object.values(de).flatMap((german) => german.split('|')));

/** What a German page says in English. */
export const englishOn = async (page: Page): Promise<string[]> =>
  (await wordsOf(page)).filter(
    (text) => !GERMAN.has(text) && !DATA.test(text) && ENGLISH.some((pattern) => pattern.test(text)),
  );
