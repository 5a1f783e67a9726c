import type { Catalogue } from '../../../lib/language.ts';

export const workflows: Catalogue = {
  ID: 'ID',

  Updated: 'Geändert',
  'A workflow has one endpoint per environment. Publish a version to call it.':
    'Ein Workflow hat einen Endpunkt je Umgebung. Zum Aufrufen eine Version veröffentlichen.',
  'Search workflows by ID or name': 'Workflows nach ID oder Name suchen',
  'Search by ID or name': 'Nach ID oder Name suchen',
  'Include archived': 'Archivierte einschließen',
  'Could not load workflows': 'Workflows konnten nicht geladen werden',
  'No workflows match “{q}”': 'Keine Workflows passen auf „{q}“',
  'Clear filter': 'Filter zurücksetzen',
  'Search matches any part of the ID or name.': 'Die Suche findet jeden Teil von ID oder Name.',
  'No workflows yet': 'Noch keine Workflows',
  'A workflow receives JSON events over HTTP, runs them through its nodes and returns the output. Create one here, drop a workflow file on this window, or import one from a terminal:':
    'Ein Workflow nimmt JSON-Events über HTTP an, führt sie durch seine Knoten und liefert die Ausgabe. Hier einen anlegen, eine Workflow-Datei auf dieses Fenster ziehen, oder einen im Terminal importieren:',
  'Import a workflow': 'Workflow importieren',
};
