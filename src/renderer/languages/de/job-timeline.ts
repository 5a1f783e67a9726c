import type { Catalogue } from '../../../lib/language.ts';

export const jobTimeline: Catalogue = {
  'Log lines {span}': 'Logzeilen {span}',
  'Log lines over the time: {lines}': 'Logzeilen im Zeitverlauf: {lines}',
  'CPU of the workers': 'CPU der Worker',
  '{value}: at most {count} %': '{value}: höchstens {count} %',
  'No samples': 'Keine Messwerte',
  'no sample in this time': 'kein Messwert in dieser Zeit',
  '{label}, {count} in': '{label}, nach {count}',
};
