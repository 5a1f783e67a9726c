import type { Catalogue } from '../../../lib/language.ts';

export const workflowDiff: Catalogue = {
  Added: 'Hinzugefügt',
  Removed: 'Entfernt',
  'The two versions hold the same definition.': 'Beide Versionen enthalten dieselbe Definition.',
  Nodes: 'Knoten',
  Edges: 'Kanten',
  everything: 'alles',
  '{count} nodes added': '{count} Knoten hinzugefügt|{count} Knoten hinzugefügt',
  '{count} nodes removed': '{count} Knoten entfernt|{count} Knoten entfernt',
  '{count} nodes changed': '{count} Knoten geändert|{count} Knoten geändert',
  '{count} nodes moved': '{count} Knoten verschoben|{count} Knoten verschoben',
  '{count} edges added': '{count} Kante hinzugefügt|{count} Kanten hinzugefügt',
  '{count} edges removed': '{count} Kante entfernt|{count} Kanten entfernt',
  '{count} settings changed': '{count} Einstellung geändert|{count} Einstellungen geändert',
  'No difference': 'Kein Unterschied',
  'The two texts are the same.': 'Beide Texte sind gleich.',
  'The difference could not be read': 'Der Unterschied konnte nicht gelesen werden',
  'Comparing…': 'Wird verglichen…',
  'Form of the difference': 'Form des Unterschieds',
  Changes: 'Änderungen',
  'Difference of two versions': 'Unterschied zweier Versionen',
};
