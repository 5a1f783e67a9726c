import type { Catalogue } from '../../../lib/language.ts';

export const workers: Catalogue = {
  'Tasks/min': 'Tasks/min',
  '{count} tasks in the last {minutes} minutes':
    '{count} Task in den letzten {minutes} Minuten|{count} Tasks in den letzten {minutes} Minuten',
  'Stopped and replaced': 'Gestoppte und ersetzte',
  'replaced by …{id}': 'ersetzt durch …{id}',
  'exit code {code}': 'Exit-Code {code}',
  ended: 'beendet',
  Forget: 'Vergessen',
  'Could not forget the worker': 'Der Worker konnte nicht vergessen werden',
  'Remove it from the list; it registers again if it comes back':
    'Aus der Liste entfernen; er registriert sich neu, wenn er wiederkommt',
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
  'Drain worker {worker}': 'Worker {worker} stilllegen',
  'Resume worker {worker}': 'Worker {worker} fortsetzen',
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
  'Search workers': 'Worker suchen',
  'ID, URL, label, handler': 'ID, URL, Label, Handler',
  'No matching workers': 'Keine passenden Worker',
  'Show all workers': 'Alle Worker zeigen',
  'No workers registered': 'Keine Worker registriert',
  'The master starts local workers with the option --workers. Workers on other machines connect with a token.':
    'Der Master startet lokale Worker mit der Option --workers. Worker auf anderen Rechnern verbinden sich mit einem Token.',
  'Add worker': 'Worker hinzufügen',
  'Each pool of workers has its own token. Any number of workers can use it; revoke it to disconnect them.':
    'Jeder Pool von Workern hat ein eigenes Token. Beliebig viele Worker können es nutzen; widerrufen trennt sie.',
  'Runs all node types except handlers; add --handlers FILE for your own functions':
    'Führt alle Knotentypen außer handler aus; --handlers FILE für eigene Funktionen',
  'worker.mjs, in a project with the package yardmaster': 'worker.mjs, in einem Projekt mit dem Paket yardmaster',
  'Start it': 'Starten',
  'With the image that you built: see Containers and systemd in the help':
    'Mit dem selbst gebauten Image: siehe „Containers and systemd“ in der Hilfe',
  'With the .deb package, or the unit in deploy/systemd': 'Mit dem .deb-Paket oder der Unit in deploy/systemd',
  "The token is in these commands. Copy it now. It can't be shown again: only its hash is stored.":
    'Das Token steht in diesen Befehlen. Jetzt kopieren. Es wird nicht noch einmal angezeigt: Gespeichert ist nur sein Hash.',
  'Copy token': 'Token kopieren',
  'How to start the worker': 'Wie der Worker gestartet wird',
  'This address reaches the master only from its own machine. Workers on other machines need another one.':
    'Diese Adresse erreicht den Master nur von seinem eigenen Rechner. Worker auf anderen Rechnern brauchen eine andere.',
  'Show worker': 'Worker zeigen',
  'Worker …{id} is connected': 'Worker …{id} ist verbunden',
  '{count} slots, version {version}': '{count} Slot, Version {version}|{count} Slots, Version {version}',
  'Waiting for the worker…': 'Warten auf den Worker…',
  'A worker was refused': 'Ein Worker wurde abgewiesen',
  '{time} from {address}: {message}': '{time} von {address}: {message}',
  'this machine': 'diesem Rechner',
};
