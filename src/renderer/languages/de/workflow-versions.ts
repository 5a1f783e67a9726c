import type { Catalogue } from '../../../lib/language.ts';

export const workflowVersions: Catalogue = {
  'v{number}': 'v{number}',
  'v{number} ({hash})': 'v{number} ({hash})',
  Tags: 'Tags',
  'Tags…': 'Tags…',
  'Tags of version {value}': 'Tags der Version {value}',
  'Add tag': 'Tag hinzufügen',
  'New tag': 'Neuer Tag',
  'Remove tag {tag}': 'Tag {tag} entfernen',
  'Could not remove the tag': 'Der Tag konnte nicht entfernt werden',
  'Tagged {hash} as {tag}': '{hash} hat jetzt den Tag {tag}',
  'A tag names one version. A tag that another version has is moved to this one.':
    'Ein Tag benennt eine Version. Ein Tag einer anderen Version wird auf diese verschoben.',
  'Use letters, digits, dots, hyphens and underscores, max. 50; not the form of a commit hash.':
    'Buchstaben, Ziffern, Punkte, Binde- und Unterstriche, höchstens 50; nicht in der Form eines Commit-Hashs.',
  'Promote to {environment}': 'Nach {environment}',
  'Publish the version of {from} to {to}': 'Die Version von {from} in {to} veröffentlichen',
  'added:': 'hinzugefügt:',
  'removed:': 'entfernt:',
  '… {count} unchanged lines': '… {count} unveränderte Zeile|… {count} unveränderte Zeilen',
  'Published in': 'Veröffentlicht in',
  'Publish note': 'Notiz zur Veröffentlichung',
  Author: 'Autor',
  Saved: 'Gespeichert',
  'All versions': 'Alle Versionen',
  'Swap versions': 'Versionen tauschen',
  '– has errors': '– hat Fehler',
  'Actions for version {value}': 'Aktionen für Version {value}',
  'Open read-only': 'Nur lesend öffnen',
  'No previous version': 'Keine vorige Version',
  'Compare with previous version': 'Mit der vorigen Version vergleichen',
  'This is the latest version': 'Dies ist die neueste Version',
  'Compare with latest version': 'Mit der neuesten Version vergleichen',
  'Load into builder': 'In den Builder laden',
  "Has validation errors, can't be published": 'Hat Validierungsfehler, nicht veröffentlichbar',
  'Select two versions to compare them, or open one to view it.':
    'Zwei Versionen auswählen, um sie zu vergleichen, oder eine öffnen.',
  'Versions of {id}': 'Versionen von {id}',
  'No versions yet': 'Noch keine Versionen',
  'Open builder': 'Builder öffnen',
  'Each save in the builder creates a version. Versions never change, and you can publish any of them to any environment.':
    'Jedes Speichern im Builder erzeugt eine Version. Versionen ändern sich nie und lassen sich in jeder Umgebung veröffentlichen.',
  'Replace the draft in the builder?': 'Entwurf im Builder ersetzen?',
  Replace: 'Ersetzen',
  'The builder has unsaved changes. Loading version {value} replaces them.':
    'Der Builder hat nicht gespeicherte Änderungen. Das Laden von Version {value} ersetzt sie.',
  'Could not load the version': 'Die Version konnte nicht geladen werden',
  'No previous version.': 'Keine vorige Version.',

  'This version has validation errors.': 'Diese Version hat Validierungsfehler.',
  'Previous version': 'Vorige Version',
  '{count} errors block publishing':
    '{count} Fehler verhindert die Veröffentlichung|{count} Fehler verhindern die Veröffentlichung',
  'Definition of version {value}': 'Definition von Version {value}',
  'as {hash}': 'als {hash}',
  '{count} versions.': '{count} Version.|{count} Versionen.',
  'Select two versions; {count} selected.':
    'Zwei Versionen auswählen; {count} ausgewählt.|Zwei Versionen auswählen; {count} ausgewählt.',
  'Restore {short}: {message}': '{short} wiederherstellen: {message}',
  'It has the same content as {short}. Publish it when you are ready.':
    'Sie hat denselben Inhalt wie {short}. Bei Bedarf veröffentlichen.',
  'Restore version {short}?': 'Version {short} wiederherstellen?',
  'This saves a new version with the content of {code}. The history is kept, and published versions do not change.':
    'Speichert eine neue Version mit dem Inhalt von {code}. Der Verlauf bleibt erhalten, und Veröffentlichtes ändert sich nicht.',
  'View changes': 'Änderungen ansehen',
  Restore: 'Wiederherstellen',
  'Compare with the version in {environment}': 'Mit der Version in {environment} vergleichen',
  'Restore…': 'Wiederherstellen…',
  'Same as': 'Gleich wie',
};
