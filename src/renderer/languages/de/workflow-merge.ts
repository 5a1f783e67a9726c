import type { Catalogue } from '../../../lib/language.ts';

export const workflowMerge: Catalogue = {
  Theirs: 'Fremde',
  Mine: 'Eigene',
  Conflicts: 'Konflikte',
  '{count} places that both changed':
    '{count} Stelle, die beide geändert haben|{count} Stellen, die beide geändert haben',
  'All theirs': 'Alle fremden',
  'All mine': 'Alle eigenen',
  'Before: {text}': 'Vorher: {text}',
  'taken away': 'entfernt',
  'The versions could not be read': 'Die Versionen konnten nicht gelesen werden',
  'Your text is no definition at the moment, so the two cannot be merged. Mend what is marked in it, or open the newer version: your text stays {here} as a draft.':
    'Der eigene Text ist gerade keine Definition, daher lassen sich beide nicht zusammenführen. Beheben, was darin markiert ist, oder die neuere Version öffnen: Der eigene Text bleibt {here} als Entwurf.',
  'They changed': 'Fremde Änderungen',
  'You changed': 'Eigene Änderungen',
  'Nothing collides: both are taken over.': 'Nichts kollidiert: Beides wird übernommen.',
  'What comes of it, against the newer version': 'Was daraus wird, gegenüber der neueren Version',
  'Newer version against the merged text': 'Neuere Version gegenüber dem zusammengeführten Text',
  Merged: 'Zusammengeführt',
  '{count} faults in the merged graph':
    '{count} Fehler im zusammengeführten Graphen|{count} Fehler im zusammengeführten Graphen',
  '{count} choices to make': '{count} Entscheidung offen|{count} Entscheidungen offen',
  'Save the merged version': 'Zusammengeführte Version speichern',
  'Go on with the merged text': 'Mit dem zusammengeführten Text weiter',
  'adds {id}': 'fügt {id} hinzu',
  'removes {id}': 'entfernt {id}',
  'changes {id}: {members}': 'ändert {id}: {members}',
  'adds {count} edges': 'fügt {count} Kante hinzu|fügt {count} Kanten hinzu',
  'removes {count} edges': 'entfernt {count} Kante|entfernt {count} Kanten',
  'changes the setting {name}': 'ändert die Einstellung {name}',
  'The edges: together they would make a circle': 'Die Kanten: zusammen ergäben sie einen Kreis',
  'Setting {name}': 'Einstellung {name}',
  'Node {id}': 'Knoten {id}',
  'Node {id}: {member}': 'Knoten {id}: {member}',
};
