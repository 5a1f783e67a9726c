import type { Catalogue } from '../../../lib/language.ts';

export const logHits: Catalogue = {
  'No histogram for this query': 'Kein Histogramm für diese Abfrage',
  'Lines over time, {total} in total, {value}': 'Zeilen im Zeitverlauf, {total} insgesamt, {value}',
  Lines: 'Zeilen',
  'no level': 'ohne Level',
};
