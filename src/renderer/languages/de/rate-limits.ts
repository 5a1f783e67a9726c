import type { Catalogue } from '../../../lib/language.ts';

export const rateLimits: Catalogue = {
  'Event calls a second': 'Ereignisaufrufe pro Sekunde',
  "More are refused with 429. Bursts of a second's worth are let through.":
    'Weitere werden mit 429 abgewiesen. Stöße im Umfang einer Sekunde werden durchgelassen.',
  'No limit': 'Keine Grenze',
  'Tasks at once': 'Tasks zugleich',
  'More wait in the queue.': 'Weitere warten in der Warteschlange.',
  'An empty field is no limit. A change holds at once.': 'Ein leeres Feld ist keine Grenze. Eine Änderung gilt sofort.',
  '{count} calls/s': '{count} Aufruf/s|{count} Aufrufe/s',
  '{count} tasks at once': '{count} Task zugleich|{count} Tasks zugleich',
  'It is archived.': 'Er ist archiviert.',
  'No limit holds': 'Keine Grenze gilt',
  'Limits: {words}': 'Grenzen: {words}',
  'Limits of {id}': 'Grenzen von {id}',
  'Changed the limits of {id}': 'Grenzen von {id} geändert',
};
