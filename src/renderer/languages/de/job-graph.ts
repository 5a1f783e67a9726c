import type { Catalogue } from '../../../lib/language.ts';

export const jobGraph: Catalogue = {
  'Graph of the job': 'Graph des Jobs',
  retrying: 'wiederholt',
  'run timeout': 'Laufzeit überschritten',
  'schedule timeout': 'Wartezeit überschritten',
  running: 'läuft',
  scheduled: 'zugeteilt',
  ready: 'bereit',
  completed: 'fertig',
  passed: 'durchlaufen',
  skipped: 'übersprungen',
  'not reached': 'nicht erreicht',
  waiting: 'wartet',
};
