import { expect, test } from 'vitest';
import { chosenLanguage } from './choose.ts';

test('the system decides, by the first of its languages that the console speaks', () => {
  expect(chosenLanguage('system', ['fr-FR', 'de-AT', 'en-GB'])).toEqual({ language: 'de', locale: 'de-AT' });
  expect(chosenLanguage('system', ['en-GB', 'de'])).toEqual({ language: 'en', locale: 'en-GB' });
});

test('who speaks none of them reads English', () => {
  expect(chosenLanguage('system', ['fr-FR', 'ja'])).toEqual({ language: 'en', locale: 'en' });
  expect(chosenLanguage('system', [])).toEqual({ language: 'en', locale: 'en' });
});

test('a chosen language keeps the region that the browser has for it', () => {
  expect(chosenLanguage('de', ['en-US', 'de-CH'])).toEqual({ language: 'de', locale: 'de-CH' });
  expect(chosenLanguage('de', ['en-US'])).toEqual({ language: 'de', locale: 'de' });
});
