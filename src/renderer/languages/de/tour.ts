import type { Catalogue } from '../../../lib/language.ts';

export const tour: Catalogue = {
  'The pages': 'Die Seiten',
  "Build and publish workflows; each run is a job. Failures groups errors by cause: start here when you're on call. Press “g” and a letter to open a page.":
    'Workflows bauen und veröffentlichen; jeder Lauf ist ein Job. Fehlschläge gruppiert Fehler nach Ursache: Hier in der Rufbereitschaft beginnen. „g“ und ein Buchstabe öffnet eine Seite.',
  'Go anywhere': 'Überallhin',
  'Ctrl+K (or ⌘K) finds pages, actions, settings and help. Paste any ID (job, task, version, worker or key) to open it.':
    'Strg+K (oder ⌘K) findet Seiten, Aktionen, Einstellungen und Hilfe. Eine eingefügte ID (Job, Task, Version, Worker oder Schlüssel) öffnet sich.',
  'Cluster and connection': 'Cluster und Verbindung',
  'Shows which cluster you are on and whether updates are live. If the master stops responding, the page shows its last known state and blocks changes.':
    'Zeigt den aktuellen Cluster und ob Änderungen live ankommen. Antwortet der Master nicht, zeigt die Seite den letzten bekannten Stand und sperrt Änderungen.',
  'Shows what this page does as a CLI command, as curl and as a link. Press “c”.':
    'Zeigt, was diese Seite tut, als CLI-Befehl, als curl und als Link. Taste „c“.',
  'While you were away': 'Während der Abwesenheit',
  'Alerts, finished operations, publications by others and lost workers. “?” lists all shortcuts, “h” opens the docs for the current page.':
    'Alarme, beendete Vorgänge, Veröffentlichungen anderer und verlorene Worker. „?“ zeigt alle Kürzel, „h“ öffnet die Dokumentation der Seite.',
  '{at} of {all}': '{at} von {all}',
  'Skip tour': 'Rundgang überspringen',
  Next: 'Weiter',
  'No, thanks': 'Nein, danke',
};
