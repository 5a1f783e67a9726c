import { afterEach, expect, test } from 'vitest';
import { setLanguage, currentLocale, t, tn } from './language.ts';

afterEach(() => setLanguage('en', {}));

test('a text is its own English', () => {
  expect(t('Retry')).toBe('Retry');
  expect(t('Retry {name}', { name: 'a {b}' })).toBe('Retry a {b}');
  expect(t('{unknown} stays')).toBe('{unknown} stays');
});

test('a catalogue gives the text of its language, and English where it has none', () => {
  setLanguage('de', { Retry: 'Wiederholen', 'Retry {name}': '{name} wiederholen' });
  expect(currentLocale()).toBe('de');
  expect(t('Retry')).toBe('Wiederholen');
  expect(t('Retry {name}', { name: 'x' })).toBe('x wiederholen');
  expect(t('Drain')).toBe('Drain');
});

test('a count takes the form of its language', () => {
  expect(tn('{count} job', '{count} jobs', 1)).toBe('1 job');
  expect(tn('{count} job', '{count} jobs', 1200)).toBe('1,200 jobs');
  setLanguage('de', { '{count} jobs of {name}': '{count} Auftrag von {name}|{count} Aufträge von {name}' });
  expect(tn('{count} job of {name}', '{count} jobs of {name}', 1, { name: 'x' })).toBe('1 Auftrag von x');
  expect(tn('{count} job of {name}', '{count} jobs of {name}', 1200, { name: 'x' })).toBe('1.200 Aufträge von x');
});
