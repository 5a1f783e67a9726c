import type { Catalogue } from '../../../lib/language.ts';

export const logHits: Catalogue = {
  'No histogram of this query': 'Kein Histogramm dieser Abfrage',
  'Lines over time, {total} in all, {value}': 'Zeilen im Zeitverlauf, {total} insgesamt, {value}',
  Lines: 'Zeilen',
  'no level': 'ohne Stufe',
};
