import type { Catalogue } from '../../../lib/language.ts';

export const incident: Catalogue = {
  'Not in this bundle': 'Nicht in diesem Paket',
  'This page is not part of the bundle': 'Diese Seite ist nicht Teil des Pakets',
  'Go to the jobs in this bundle': 'Zu den Jobs des Pakets',
  'A bundle contains jobs, their tasks, log lines, metrics and versions. For anything else, use the console of its cluster.':
    'Ein Paket enthält Jobs, ihre Tasks, Logzeilen, Metriken und Versionen. Alles andere steht in der Konsole seines Clusters.',
  'Jobs in this bundle': 'Jobs in diesem Paket',
  'called by another job': 'von einem anderen Job aufgerufen',
  'Failure groups': 'Fehlergruppen',
  '{count} times, last': 'einmal,|{count}-mal, zuletzt',
  'This version is not in the bundle': 'Diese Version ist nicht im Paket',
  Definition: 'Definition',

  unpublished: 'zurückgezogen',
  'Incident bundle, read-only': 'Vorfallspaket, schreibgeschützt',
  'Open another…': 'Anderes öffnen…',
  'Go to the console': 'Zur Konsole',
  'Open incident bundle': 'Vorfallspaket öffnen',
  'Opening {name}': '{name} wird geöffnet',
  '{bytes} unpacked': '{bytes} entpackt',
  'Choose another file…': 'Andere Datei wählen…',
  'Drop an incident bundle here': 'Vorfallspaket hier ablegen',
  'Choose a file…': 'Datei wählen…',
  "The file is only read in this window: nothing is uploaded, and no master is changed. To create a bundle, open a job's page.":
    'Die Datei wird nur in diesem Fenster gelesen: Nichts wird hochgeladen, kein Master wird verändert. Pakete entstehen auf der Seite eines Jobs.',
  created: 'erstellt',
  from: 'von',
  'by {actor}, Yardmaster {version}': 'durch {actor}, Yardmaster {version}',
  'without inputs and outputs': 'ohne Ein- und Ausgaben',
  'Incomplete bundle': 'Unvollständiges Paket',
  'Could not open the file': 'Die Datei konnte nicht geöffnet werden',
  'Not an incident bundle': 'Kein Vorfallspaket',
  "Create a bundle on a job's page (“Bundle…”) or with yardmaster jobs bundle. Its file name ends in .yardmaster-incident.":
    'Ein Paket auf der Seite eines Jobs („Paket…“) oder mit yardmaster jobs bundle erstellen. Der Dateiname endet auf .yardmaster-incident.',
  'The file is truncated': 'Die Datei ist abgeschnitten',
  'The download or copy was interrupted. Get the file again.':
    'Das Herunterladen oder Kopieren wurde unterbrochen. Die Datei erneut holen.',
  'The file is corrupt': 'Die Datei ist beschädigt',
  'Part of its content is damaged. Get the file again. ({detail})':
    'Ein Teil des Inhalts ist beschädigt. Die Datei erneut holen. ({detail})',
  'Unsupported bundle version': 'Nicht unterstützte Paketversion',
  "It was created by Yardmaster {version} in a format that this version can't read. Open it in that version or newer.":
    'Es wurde von Yardmaster {version} in einem Format erstellt, das diese Version nicht lesen kann. In jener Version oder einer neueren öffnen.',
  'The bundle is too large to open here': 'Das Paket ist zu groß, um es hier zu öffnen',
  'Unpacked, it exceeds {bytes}. Extract it with tar xzf, or create a bundle without inputs and outputs.':
    'Entpackt überschreitet es {bytes}. Mit tar xzf entpacken oder ein Paket ohne Ein- und Ausgaben erstellen.',
  'The bundle has too many files to open here': 'Das Paket hat zu viele Dateien, um es hier zu öffnen',
  'It has more than {count}, which Yardmaster never creates. Extract it with tar xzf.':
    'Es hat mehr als {count}, so viele erzeugt Yardmaster nie. Mit tar xzf entpacken.',
  'One file with everything about this job': 'Eine Datei mit allem zu diesem Job',
  'Bundle…': 'Paket…',
  'Incident bundle': 'Vorfallspaket',
  'One file with the job, its tasks and attempts, log lines, metrics, version and workers. Opens read-only in any console, without access to the master.':
    'Eine Datei mit dem Job, seinen Tasks und Versuchen, Logzeilen, Metriken, Version und Workern. Öffnet sich schreibgeschützt in jeder Konsole, ohne Zugriff auf den Master.',
  'Secrets, keys and tokens are redacted. Data that workflows read or computed is not.':
    'Geheimnisse, Schlüssel und Tokens sind geschwärzt. Daten, die Workflows gelesen oder berechnet haben, nicht.',
  'Exclude inputs and outputs': 'Ein- und Ausgaben ausschließen',
  'Download bundle': 'Paket herunterladen',
};
