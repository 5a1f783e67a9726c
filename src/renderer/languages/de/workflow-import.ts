import type { Catalogue } from '../../../lib/language.ts';

export const workflowImport: Catalogue = {
  'Not a workflow': 'Kein Workflow',
  '{id} opened as draft': '{id} als Entwurf geöffnet',
  'Save it as a version in the builder.': 'Im Builder als Version speichern.',
  'ID of an existing or new workflow': 'ID eines vorhandenen oder neuen Workflows',
  'Creates a new workflow with the file as its draft.': 'Legt einen neuen Workflow mit der Datei als Entwurf an.',
  '“{name}” already exists. The file opens as a draft on its latest version and replaces any unsaved draft in this window.':
    '„{name}“ existiert bereits. Die Datei wird als Entwurf auf der neuesten Version geöffnet und ersetzt einen nicht gespeicherten Entwurf in diesem Fenster.',

  'Open as draft': 'Als Entwurf öffnen',
  '{name} is not valid JSON ({reason}).': '{name} ist kein gültiges JSON ({reason}).',
  '{name} is not a workflow: expected an object.': '{name} ist kein Workflow: Erwartet wird ein Objekt.',
  '{name} is not a workflow: expected a definition with a list of nodes.':
    '{name} ist kein Workflow: Erwartet wird eine Definition mit einer Liste von Knoten.',
};
