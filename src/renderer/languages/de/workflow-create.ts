import type { Catalogue } from '../../../lib/language.ts';

export const workflowCreate: Catalogue = {
  'This ID is already used. Archived workflows keep their ID.':
    'Diese ID ist bereits vergeben. Archivierte Workflows behalten ihre ID.',
  'Created {id}': '{id} angelegt',
  'Save the first version in the editor.': 'Die erste Version im Editor speichern.',
  'Display name': 'Anzeigename',
  "Part of the URL. Lowercase letters, digits and hyphens, max. 63. Can't be changed later.":
    'Teil der URL. Kleinbuchstaben, Ziffern und Bindestriche, max. 63. Später nicht änderbar.',
  'Start with': 'Beginnen mit',
  'Small example': 'Kleines Beispiel',
  'Input, transform and output; ready to run': 'Eingabe, Umformung und Ausgabe; sofort lauffähig',
  'Blank workflow': 'Leerer Workflow',
  'No nodes': 'Keine Knoten',
  Create: 'Anlegen',
};
