import type { Catalogue } from '../../../lib/language.ts';

export const incident: Catalogue = {
  'Not in this bundle': 'Nicht in diesem Paket',
  'The bundle holds no such page': 'Das Paket enthält keine solche Seite',
  'To the jobs of the bundle': 'Zu den Jobs des Pakets',
  'A bundle has jobs, their tasks, log lines, metrics and versions. All else is in the console of its cluster.':
    'Ein Paket enthält Jobs, ihre Tasks, Logzeilen, Metriken und Versionen. Alles andere steht in der Konsole seines Clusters.',
  'Jobs of the bundle': 'Jobs des Pakets',
  'called by another job': 'von einem anderen Job aufgerufen',
  'Failure groups': 'Gruppen von Fehlschlägen',
  '{count} times, last': '{count}-mal, zuletzt',
  'This version is not in the bundle': 'Diese Version ist nicht im Paket',
  Definition: 'Definition',
  'Publication log': 'Protokoll der Veröffentlichungen',
  'taken offline': 'offline genommen',
  'Incident bundle, read-only': 'Vorfallspaket, schreibgeschützt',
  'Open another…': 'Anderes öffnen…',
  'To the console': 'Zur Konsole',
  'Open incident bundle': 'Vorfallspaket öffnen',
  'Opening {name}': '{name} wird geöffnet',
  '{bytes} unpacked': '{bytes} entpackt',
  'Choose another file…': 'Andere Datei wählen…',
  'Drop an incident bundle here': 'Ein Vorfallspaket hier ablegen',
  'Choose a file…': 'Datei wählen…',
  'It is read in this window alone: nothing of it is sent anywhere, and nothing in it can change a master. Bundles are made on the page of a job.':
    'Es wird nur in diesem Fenster gelesen: Nichts davon wird irgendwohin gesendet, und nichts darin kann einen Master ändern. Pakete entstehen auf der Seite eines Jobs.',
  taken: 'erstellt',
  from: 'von',
  'by {actor}, Yardmaster {version}': 'durch {actor}, Yardmaster {version}',
  'without inputs and outputs': 'ohne Ein- und Ausgaben',
  'Not all is in it': 'Nicht alles ist enthalten',
  'The file could not be opened': 'Die Datei konnte nicht geöffnet werden',
  'This is no incident bundle': 'Das ist kein Vorfallspaket',
  'A bundle is made on the page of a job (“Bundle…”) or with yardmaster jobs bundle, and its name ends in .yardmaster-incident.':
    'Ein Paket entsteht auf der Seite eines Jobs („Paket…“) oder mit yardmaster jobs bundle, und sein Name endet auf .yardmaster-incident.',
  'The file is cut short': 'Die Datei ist abgeschnitten',
  'Its end is missing: the download or the copy was interrupted. Get it again from where it came.':
    'Ihr Ende fehlt: Das Herunterladen oder Kopieren wurde unterbrochen. Sie erneut von ihrer Quelle holen.',
  'The file is damaged': 'Die Datei ist beschädigt',
  'It began well, and something in it is not as it was written. Get it again from where it came. ({detail})':
    'Sie begann gut, aber etwas darin ist nicht, wie es geschrieben wurde. Sie erneut von ihrer Quelle holen. ({detail})',
  'The bundle is of a newer kind': 'Das Paket ist von neuerer Art',
  'It was made by Yardmaster {version}, whose bundles this version cannot read. Open it in that version or a later one.':
    'Es stammt von Yardmaster {version}, dessen Pakete diese Version nicht lesen kann. In jener oder einer späteren Version öffnen.',
  'The bundle is too large to open here': 'Das Paket ist zu groß, um es hier zu öffnen',
  'Unpacked it has more than {bytes}. Look inside with tar xzf, or take a bundle without inputs and outputs.':
    'Entpackt hat es mehr als {bytes}. Mit tar xzf hineinsehen oder ein Paket ohne Ein- und Ausgaben erstellen.',
  'The bundle has too many parts to open here': 'Das Paket hat zu viele Teile, um es hier zu öffnen',
  'More than {count}: no bundle of Yardmaster has so many. Look inside with tar xzf.':
    'Mehr als {count}: So viele hat kein Paket von Yardmaster. Mit tar xzf hineinsehen.',
  'One file with all that is known of this job': 'Eine Datei mit allem, was über diesen Job bekannt ist',
  'Bundle…': 'Paket…',
  'Incident bundle': 'Vorfallspaket',
  'One file with the job, its tasks and attempts, log lines, metrics, version and workers. It opens read-only in any console, with no master at hand.':
    'Eine Datei mit dem Job, seinen Tasks und Versuchen, Logzeilen, Metriken, Version und Workern. Jede Konsole öffnet sie lesend, auch ohne Master.',
  'Values of secrets, keys and tokens are taken out. What workflows read or computed is not.':
    'Werte von Geheimnissen, Schlüsseln und Tokens sind entfernt. Was Workflows gelesen oder berechnet haben, nicht.',
  'Leave inputs and outputs out': 'Ein- und Ausgaben auslassen',
  'Download the bundle': 'Paket herunterladen',
};
