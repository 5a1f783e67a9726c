import type { Catalogue } from '../../../lib/language.ts';

export const rateLimits: Catalogue = {
  'Event calls per second': 'Event-Aufrufe pro Sekunde',
  "Calls above the limit are rejected with 429. Bursts of up to one second's worth are allowed.":
    'Aufrufe darüber werden mit 429 abgewiesen. Bursts im Umfang einer Sekunde sind erlaubt.',
  'No limit': 'Kein Limit',
  'Concurrent tasks': 'Gleichzeitige Tasks',
  'Tasks above the limit wait in the queue.': 'Tasks darüber warten in der Queue.',
  'Leave empty for no limit. Takes effect immediately.': 'Leer: kein Limit. Gilt sofort.',
  '{count} calls/s': '{count} Aufruf/s|{count} Aufrufe/s',
  '{count} concurrent tasks': '{count} gleichzeitiger Task|{count} gleichzeitige Tasks',
  'The workflow is archived.': 'Der Workflow ist archiviert.',
  'No limits': 'Keine Limits',
  'Limits: {words}': 'Limits: {words}',
  'Limits for {id}': 'Limits von {id}',
  'Updated the limits of {id}': 'Limits von {id} geändert',
};
