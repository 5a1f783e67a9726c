import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage, t, tn, inSentence } from '../lib/language.ts';
import { de } from './languages/de.ts';
import { formatBytes, formatCount, formatDuration } from './ui/Duration.tsx';
import { formatAgo, formatDay, formatInstant } from './ui/time-text.ts';

afterEach(() => setLanguage('en', {}));

describe('a German reader', () => {
  beforeEach(() => setLanguage('de-DE', de));

  it('has its dates, numbers, sizes and durations', () => {
    expect(formatInstant('2026-11-21T14:03:07.120Z', 'utc')).toBe('21.11.2026 14:03:07,120 UTC');
    expect(formatDay(Date.parse('2026-11-21T14:03:07Z'), 'utc')).toBe('21.11.');
    expect(formatCount(1_234_567)).toBe('1.234.567');
    expect(formatBytes(1536)).toBe('1,5 KiB');
    expect(formatDuration(3210)).toBe('3,21 s');
  });

  it('has its ages', () => {
    const now = Date.parse('2026-11-21T14:00:00Z');
    expect(formatAgo('2026-11-21T13:59:58Z', now)).toBe('vor 2 s');
    expect(formatAgo('2026-11-21T14:04:00Z', now)).toBe('in 4 min');
    expect(formatAgo('2026-11-18T14:00:00Z', now)).toBe('vor 3 Tg.');
  });

  it('has its plural, and keeps the case of its nouns', () => {
    expect(tn('{count} job', '{count} jobs', 1)).toBe('1 Job');
    expect(tn('{count} job', '{count} jobs', 40_213)).toBe('40.213 Jobs');
    expect(inSentence('Worker')).toBe('Worker');
  });

  it('tells words apart by their use', () => {
    expect([t('Open'), t('Open##state')]).toEqual(['Öffnen', 'Offen']);
  });

  it('reads English where a text is missing', () => {
    expect(t('A text that nobody has translated, {name}', { name: 'x' })).toBe('A text that nobody has translated, x');
  });
});

it('a Swiss reader has the separators of Switzerland', () => {
  setLanguage('de-CH', de);
  expect(formatCount(1_234_567)).toMatch(/^1[’']234[’']567$/);
});

it('an English reader has the dates of ISO 8601', () => {
  expect(formatInstant('2026-11-21T14:03:07.120Z', 'utc')).toBe('2026-11-21 14:03:07.120 UTC');
  expect(inSentence('Worker')).toBe('worker');
  expect(t('Open##state')).toBe('Open');
});
