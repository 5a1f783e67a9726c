import type { Catalogue } from '../../../lib/language.ts';

export const workflow: Catalogue = {
  Builder: 'Builder',
  Versions: 'Versionen',
  Publish: 'Veröffentlichen',
  'Try it': 'Ausprobieren',
  Keys: 'Schlüssel',
  'Workflow builder': 'Workflow-Builder',
  'Workflow versions': 'Workflow-Versionen',
  'Publish workflow': 'Workflow veröffentlichen',
  'Try workflow': 'Workflow ausprobieren',
  'Workflow keys': 'Schlüssel des Workflows',
  'Go to workflows': 'Zu den Workflows',
  'Check the ID, or find the workflow in the list.': 'Die ID prüfen oder den Workflow in der Liste suchen.',
  'Could not load the workflow': 'Der Workflow konnte nicht geladen werden',
  Archived: 'Archiviert',
};
