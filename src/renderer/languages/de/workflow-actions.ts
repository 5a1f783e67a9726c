import type { Catalogue } from '../../../lib/language.ts';

export const workflowActions: Catalogue = {
  'The workflow is already archived.': 'Der Workflow ist bereits archiviert.',
  'Archived {id}': '{id} archiviert',
  'Its versions and publish history are kept.': 'Seine Versionen und der Veröffentlichungsverlauf bleiben erhalten.',
  'Archive {id}': '{id} archivieren',
  Archive: 'Archivieren',
  'Archive {id}?': '{id} archivieren?',
  'It is not published in any environment.': 'Er ist in keiner Umgebung veröffentlicht.',
  'It is published in {environments}. Callers will get 404 WORKFLOW_NOT_FOUND immediately.':
    'Er ist in {environments} veröffentlicht. Aufrufer bekommen sofort 404 WORKFLOW_NOT_FOUND.',
  'Its history is kept, and its ID cannot be reused.':
    'Sein Verlauf bleibt erhalten, und seine ID lässt sich nicht wiederverwenden.',
  'Not published': 'Nicht veröffentlicht',
  Rename: 'Umbenennen',
  'Updated {id}': '{id} geändert',
  'Name and description': 'Name und Beschreibung',

  'Open node in builder': 'Knoten im Builder öffnen',
};
