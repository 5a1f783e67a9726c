import type { Catalogue } from '../../../lib/language.ts';

export const workflow: Catalogue = {
  Builder: 'Builder',
  Versions: 'Versionen',
  Publish: 'Veröffentlichen',
  'Try it': 'Ausprobieren',
  Keys: 'Schlüssel',
  'Editor of the workflow': 'Editor des Workflows',
  'Versions of the workflow': 'Versionen des Workflows',
  'Publish the workflow': 'Workflow veröffentlichen',
  'Try the workflow': 'Workflow ausprobieren',
  'Keys of the workflow': 'Schlüssel des Workflows',
  'To the list of workflows': 'Zur Liste der Workflows',
  'Its id may be misspelt. The list has every one that exists.':
    'Vielleicht ist die ID falsch geschrieben. Die Liste enthält alle, die es gibt.',
  'The workflow could not be read': 'Der Workflow konnte nicht gelesen werden',
  Archived: 'Archiviert',
};
