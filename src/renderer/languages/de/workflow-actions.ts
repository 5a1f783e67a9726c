import type { Catalogue } from '../../../lib/language.ts';

export const workflowActions: Catalogue = {
  'It is archived already.': 'Er ist bereits archiviert.',
  'Archived {id}': '{id} archiviert',
  'Its versions and publications stay on record.': 'Seine Versionen und Veröffentlichungen bleiben erhalten.',
  'Archive {id}': '{id} archivieren',
  Archive: 'Archivieren',
  'Archive {id}?': '{id} archivieren?',
  'It is published nowhere.': 'Er ist nirgends veröffentlicht.',
  'It answers on {environments} now. Callers will get 404 WORKFLOW_NOT_FOUND at once.':
    'Er antwortet derzeit in {environments}. Aufrufer bekommen sofort 404 WORKFLOW_NOT_FOUND.',
  'Its history stays and its id stays taken.': 'Sein Verlauf bleibt, und seine ID bleibt vergeben.',
  'Not published': 'Nicht veröffentlicht',
  Rename: 'Umbenennen',
  'Changed {id}': '{id} geändert',
  'Name and description': 'Name und Beschreibung',
  'Give it a name.': 'Einen Namen angeben.',
  'Open node in builder': 'Knoten im Builder öffnen',
};
