import type { Catalogue } from '../../../lib/language.ts';

export const workflowVersions: Catalogue = {
  Nowhere: 'Nirgends',
  'Published to': 'Veröffentlicht in',
  'Description at publication': 'Beschreibung dazu',
  Author: 'Urheber',
  Saved: 'Gespeichert',
  'All versions': 'Alle Versionen',
  'Swap the two': 'Beide tauschen',
  '– has faults': '– hat Fehler',
  'Actions of version {value}': 'Aktionen für Version {value}',
  'Open read-only': 'Nur lesend öffnen',
  'Nothing came before it': 'Davor kam nichts',
  'Compare with the one before': 'Mit der vorigen vergleichen',
  'This is the newest': 'Dies ist die neueste',
  'Compare with the newest': 'Mit der neuesten vergleichen',
  'Load into the editor': 'In den Editor laden',
  'Has faults, cannot be published': 'Hat Fehler, nicht veröffentlichbar',
  'Select two versions to compare them; open one to read it.':
    'Zwei Versionen auswählen, um sie zu vergleichen; eine öffnen, um sie zu lesen.',
  'Versions of {id}': 'Versionen von {id}',
  'No version yet': 'Noch keine Version',
  'Open the editor': 'Editor öffnen',
  'Each save in the editor makes one. It never changes afterwards and can be published to any environment.':
    'Jedes Speichern im Editor erzeugt eine. Sie ändert sich danach nie und kann in jeder Umgebung veröffentlicht werden.',
  'Replace the text in the editor?': 'Text im Editor ersetzen?',
  Replace: 'Ersetzen',
  'The editor holds changes that were not saved. Loading version {value} puts its text in their place.':
    'Der Editor enthält nicht gespeicherte Änderungen. Das Laden von Version {value} ersetzt sie durch deren Text.',
  'The version could not be read': 'Die Version konnte nicht gelesen werden',
  'Nothing came before it.': 'Davor kam nichts.',
  'It is still being read.': 'Sie wird noch gelesen.',
  'This version has faults.': 'Diese Version hat Fehler.',
  'Before it': 'Davor',
  '{count} faults keep it from being published':
    '{count} Fehler verhindert die Veröffentlichung|{count} Fehler verhindern die Veröffentlichung',
  'Definition of version {value}': 'Definition von Version {value}',
  'as {hash}': 'als {hash}',
  '{count} versions.': '{count} Version.|{count} Versionen.',
  'Select two versions first; {count} are selected.':
    'Zuerst zwei Versionen auswählen; {count} ist ausgewählt.|Zuerst zwei Versionen auswählen; {count} sind ausgewählt.',
  'Restore {short}: {message}': '{short} wiederherstellen: {message}',
  'It holds what {short} held. Publish it when you are ready.':
    'Sie enthält, was {short} enthielt. Bei Bedarf veröffentlichen.',
  'Restore version {short}?': 'Version {short} wiederherstellen?',
  'A new version is saved that is the same as {code}. The versions between stay in the history, and what is published does not change.':
    'Eine neue Version wird gespeichert, die {code} gleicht. Die Versionen dazwischen bleiben im Verlauf, und was veröffentlicht ist, ändert sich nicht.',
  'See what would change': 'Ansehen, was sich ändern würde',
  Restore: 'Wiederherstellen',
  'Compare with what {environment} runs': 'Mit dem vergleichen, was in {environment} läuft',
  'Restore…': 'Wiederherstellen…',
  'The same as': 'Gleich wie',
};
