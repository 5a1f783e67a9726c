import type { Catalogue } from '../../../lib/language.ts';

export const workers: Catalogue = {
  Heartbeat: 'Heartbeat',
  Handlers: 'Handler',
  'CPU, memory': 'CPU, Speicher',
  Registered: 'Registriert',
  'The worker is draining': 'Der Worker wird stillgelegt',
  'The worker accepts tasks again': 'Der Worker nimmt wieder Tasks an',
  'No new tasks; {count} running tasks finish first.':
    'Keine neuen Tasks; {count} laufender Task wird noch beendet.|Keine neuen Tasks; {count} laufende Tasks werden noch beendet.',
  'Could not resume the worker': 'Der Worker konnte nicht wieder aufgenommen werden',
  draining: 'stillgelegt',
  'created {time}': 'angelegt {time}',
  'Could not drain the worker': 'Der Worker konnte nicht stillgelegt werden',
  'The worker is down and gets no tasks anyway': 'Der Worker ist ausgefallen und bekommt ohnehin keine Tasks',
  'Accept new tasks again': 'Wieder neue Tasks annehmen',
  'Stop accepting new tasks; running tasks finish': 'Keine neuen Tasks annehmen; laufende werden beendet',

  Drain: 'Stilllegen',
  'Could not load the worker': 'Der Worker konnte nicht geladen werden',
  'Active tasks': 'Aktive Tasks',
  'Its log lines': 'Seine Logzeilen',
  'Log lines of worker {id}': 'Logzeilen des Workers {id}',

  Slots: 'Slots',

  CPU: 'CPU',
  Memory: 'Speicher',

  'Worker tasks': 'Tasks des Workers',
  "Could not load the worker's tasks": 'Die Tasks des Workers konnten nicht geladen werden',
  'No active tasks': 'Keine aktiven Tasks',
  'Worker states': 'Worker-Status',
  'Could not load workers': 'Worker konnten nicht geladen werden',
  '{words}. Tasks of a worker that is down are rescheduled on other workers.':
    '{words}. Tasks eines ausgefallenen Workers werden auf andere Worker verteilt.',
  'No workers in these states': 'Keine Worker in diesen Status',
  'Show all workers': 'Alle Worker zeigen',
  'No workers registered': 'Keine Worker registriert',
  'The master starts local workers with the option --workers. To add a worker on another machine, use a token with the role worker:':
    'Der Master startet lokale Worker mit der Option --workers. Ein Worker auf einem anderen Rechner braucht ein Token der Rolle worker:',
  'Start a worker': 'Worker starten',
};
