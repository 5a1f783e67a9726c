import type { Catalogue } from '../../../lib/language.ts';

export const jobTimeline: Catalogue = {
  'Log lines {span}': 'Logzeilen {span}',
  'Log lines over time: {lines}': 'Logzeilen im Zeitverlauf: {lines}',

  '{worker}: max. {share}': '{worker}: max. {share}',
  'No samples': 'Keine Messwerte',
  'no samples in this time range': 'keine Messwerte in diesem Zeitraum',
  '{label}, after {count}': '{label}, nach {count}',
};
