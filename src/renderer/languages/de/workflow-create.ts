import type { Catalogue } from '../../../lib/language.ts';

export const workflowCreate: Catalogue = {
  'A workflow of this id exists. Archived ones keep theirs.':
    'Ein Workflow mit dieser ID existiert. Archivierte behalten ihre.',
  'Created {id}': '{id} angelegt',
  'Save its first version in the editor.': 'Im Editor seine erste Version speichern.',
  'Shown to people': 'Wird Menschen gezeigt',
  'Part of its address. Small letters, digits and hyphens, at most 63; it cannot be changed later.':
    'Teil der Adresse. Kleinbuchstaben, Ziffern und Bindestriche, höchstens 63; später nicht änderbar.',
  'Start with': 'Beginnen mit',
  'A small example': 'Ein kleines Beispiel',
  'Input, transform and output; it runs as it is': 'Eingabe, Umformung und Ausgabe; läuft so, wie es ist',
  'An empty definition': 'Eine leere Definition',
  'The required keys and nothing in them': 'Die nötigen Schlüssel und nichts darin',
  Create: 'Anlegen',
};
