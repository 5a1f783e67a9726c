import type { Catalogue } from '../../../lib/language.ts';

export const jobGraph: Catalogue = {
  'Job graph': 'Job-Graph',
  retrying: 'Retry folgt',
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
  'not started': 'nicht gestartet',
};
