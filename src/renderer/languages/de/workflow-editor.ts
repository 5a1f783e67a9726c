import type { Catalogue } from '../../../lib/language.ts';

export const workflowEditor: Catalogue = {
  '{count} warnings, no errors': '{count} Warnung, keine Fehler|{count} Warnungen, keine Fehler',
  'Could not open the draft': 'Der Entwurf konnte nicht geöffnet werden',
  'A newer version {code} was saved after you started editing. Your draft is based on {code2}.':
    'Nach Beginn der Bearbeitung wurde eine neuere Version {code} gespeichert. Der eigene Entwurf basiert auf {code2}.',
  'no version': 'keiner Version',
  'View diff': 'Diff ansehen',
  'You have a draft ({timeAgo}) {value}, not on the latest version.':
    'Es gibt einen eigenen Entwurf ({timeAgo}) {value}, nicht auf Basis der neuesten Version.',
  'from before the first version': 'von vor der ersten Version',
  'based on {code}': 'auf Basis von {code}',
  'Open draft': 'Entwurf öffnen',
  'Discard draft': 'Entwurf verwerfen',
  "Archived workflows can't have new versions.": 'Archivierte Workflows können keine neuen Versionen haben.',
  'The draft is loading.': 'Der Entwurf wird geladen.',
  'Fix the errors marked in the text first.': 'Zuerst die im Text markierten Fehler beheben.',
  'Save version': 'Version speichern',
  'Saved version {value}': 'Version {value} gespeichert',
  'Ready to publish.': 'Bereit zum Veröffentlichen.',
  "It has validation errors and can't be published yet.":
    'Sie hat Validierungsfehler und kann noch nicht veröffentlicht werden.',
  'Could not load the latest version': 'Die neueste Version konnte nicht geladen werden',
  'Definition of {id}': 'Definition von {id}',
  'Ctrl+Space completes · Ctrl+S saves · Shift+Alt+F formats · Esc, then Tab leaves the editor':
    'Strg+Leertaste vervollständigt · Strg+S speichert · Umschalt+Alt+F formatiert · Esc, dann Tab verlässt den Editor',
  'Newer version opened': 'Neuere Version geöffnet',
  'Your changes are kept as a draft.': 'Die eigenen Änderungen bleiben als Entwurf.',
  'Blocks saving': 'Verhindert das Speichern',
  'Blocks publishing': 'Verhindert das Veröffentlichen',

  Problems: 'Probleme',
  'Not validated': 'Nicht validiert',
  'Validating…': 'Wird validiert…',
  'No problems': 'Keine Probleme',
  '{count} problems': '{count} Problem|{count} Probleme',
  'The master could not validate the graph. Only structure and syntax were checked.':
    'Der Master konnte den Graphen nicht validieren. Nur Struktur und Syntax wurden geprüft.',
  'No structure or syntax errors so far.': 'Bisher keine Struktur- oder Syntaxfehler.',
  'Ready to save and publish.': 'Bereit zum Speichern und Veröffentlichen.',
  'line {line}': 'Zeile {line}',
  '{count} more are marked in the text.': '{count} weitere sind im Text markiert.',
  '{workflowId} has unsaved changes. They are kept as a draft {here}.':
    '{workflowId} hat nicht gespeicherte Änderungen. Sie bleiben {here} als Entwurf.',
  '{workflowId} has unsaved changes, and the draft could not be stored {here}: they will be lost.':
    '{workflowId} hat nicht gespeicherte Änderungen, und der Entwurf ließ sich {here} nicht speichern: Sie gehen verloren.',
  'Leave and keep draft': 'Verlassen, Entwurf behalten',
  'Leave anyway': 'Trotzdem verlassen',
  '{count} problems in the graph': '{count} Problem im Graphen|{count} Probleme im Graphen',
  "You can save it as work in progress, but you can't publish it until they are fixed.":
    'Sie lässt sich als Arbeitsstand speichern, aber erst veröffentlichen, wenn sie behoben sind.',
  'There are no changes. A new version is created anyway.':
    'Es gibt keine Änderungen. Eine neue Version wird trotzdem angelegt.',
  'Version message': 'Versionsnachricht',
  'Shown in the version history. Ctrl+Enter saves.': 'Erscheint im Versionsverlauf. Strg+Eingabe speichert.',
  'Describe the change in one line.': 'Die Änderung in einer Zeile beschreiben.',
  'Edit text': 'Text bearbeiten',

  'A newer version was saved meanwhile': 'Inzwischen wurde eine neuere Version gespeichert',
  'by {name}, {timeAgo}: {message}': 'von {name}, {timeAgo}: {message}',
  'Newer version': 'Neuere Version',
  'Back to my draft': 'Zurück zum eigenen Entwurf',
  'Open newer version': 'Neuere Version öffnen',
  'Format (Shift+Alt+F)': 'Formatieren (Umschalt+Alt+F)',
  'Insert node': 'Knoten einfügen',
  'No version yet': 'Noch keine Version',
  'Draft not stored: storage {here} is full or disabled':
    'Entwurf nicht gespeichert: Der Speicher {here} ist voll oder deaktiviert',
  'Draft saved locally': 'Entwurf lokal gespeichert',
  'Draft saved {timeAgo}': 'Entwurf gespeichert {timeAgo}',
  'There are no changes.': 'Es gibt keine Änderungen.',
  Discard: 'Verwerfen',
  'Ctrl+S': 'Strg+S',

  'line {line} of the text': 'Zeile {line} des Texts',
  Format: 'Formatieren',
  'Could not render this definition': 'Diese Definition konnte nicht dargestellt werden',
  'Merge with {version}': 'Mit {version} zusammenführen',
  'Nothing to undo': 'Nichts rückgängig zu machen',
  'Undo: {what} (Ctrl+Z)': 'Rückgängig: {what} (Strg+Z)',
  Redo: 'Wiederherstellen',
  'Nothing to redo': 'Nichts wiederherzustellen',
  'Redo: {what} (Ctrl+Shift+Z)': 'Wiederherstellen: {what} (Strg+Umschalt+Z)',
  'Draft view': 'Entwurfsansicht',
  Split: 'Geteilt',
  'Based on##version': 'Basis:',
};
