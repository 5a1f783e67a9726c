import type { Catalogue } from '../../../lib/language.ts';

export const workflows: Catalogue = {
  Id: 'ID',
  Head: 'Neueste',
  'No version': 'Keine Version',
  Updated: 'Geändert',
  'Each one is an endpoint per environment once a version of it is published.':
    'Jeder ist ein Endpunkt pro Umgebung, sobald eine Version davon veröffentlicht ist.',
  'Find workflows by id or name': 'Workflows nach ID oder Name suchen',
  'Find by id or name': 'Nach ID oder Name suchen',
  'Archived too': 'Auch archivierte',
  'Workflows could not be read': 'Die Workflows konnten nicht gelesen werden',
  'No workflow matches “{q}”': 'Kein Workflow passt auf „{q}“',
  'Clear the filter': 'Filter aufheben',
  'The beginning or a part of an id or a name is looked for.':
    'Gesucht wird nach dem Anfang oder einem Teil einer ID oder eines Namens.',
  'No workflows yet': 'Noch keine Workflows',
  'A workflow takes JSON events over HTTP, runs them through its nodes and answers with its output. Make one here, drop the file of one on this window, or bring it in from a terminal:':
    'Ein Workflow nimmt JSON-Ereignisse über HTTP an, führt sie durch seine Knoten und antwortet mit seiner Ausgabe. Hier einen anlegen, die Datei von einem auf dieses Fenster ziehen oder ihn im Terminal einlesen:',
  'Import a workflow': 'Workflow einlesen',
};
