import type { Catalogue } from '../../../lib/language.ts';

export const tour: Catalogue = {
  'The pages': 'Die Seiten',
  'Workflows are built and published here; jobs are their runs. Failures groups what went wrong by its cause: begin there when you are called at night. “g” and a letter goes to each.':
    'Workflows werden hier gebaut und veröffentlicht; Jobs sind ihre Läufe. Fehlschläge sammelt, was schiefging, nach Ursache: Dort bei nächtlichem Alarm beginnen. „g“ und ein Buchstabe führt zu jeder.',
  'Go anywhere': 'Überallhin',
  'Ctrl+K (or ⌘K) finds pages, actions, settings and help; paste any id (of a job, a task, a version, a worker, a key) and it opens.':
    'Strg+K (oder ⌘K) findet Seiten, Aktionen, Einstellungen und Hilfe; jede eingefügte ID (eines Jobs, Tasks, einer Version, eines Workers, Schlüssels) öffnet sich.',
  'Which cluster, and how fresh': 'Welcher Cluster, und wie frisch',
  'Shows where you are and whether changes arrive live. While the master does not answer, the page keeps what it knew, says how old it is, and changes nothing.':
    'Zeigt, welcher Master das ist und ob Änderungen live ankommen. Antwortet der Master nicht, behält die Seite, was sie wusste, sagt, wie alt es ist, und ändert nichts.',
  'What a page shows and does, as a command line, as curl, and as a link. The key is “c”.':
    'Was eine Seite zeigt und tut, als Befehlszeile, als curl und als Link. Die Taste ist „c“.',
  'What happened meanwhile': 'Was inzwischen geschah',
  'Alerts, ended operations, publications by others, lost workers. “?” lists every key, “h” opens the docs of the page you are on.':
    'Alarme, beendete Vorgänge, Veröffentlichungen anderer, verlorene Worker. „?“ zeigt jede Taste, „h“ öffnet die Dokumentation der Seite.',
  '{at} of {all}': '{at} von {all}',
  'Skip the tour': 'Rundgang überspringen',
  Next: 'Weiter',
  'No tour, thanks': 'Kein Rundgang, danke',
};
