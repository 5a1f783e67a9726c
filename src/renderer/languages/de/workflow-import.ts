import type { Catalogue } from '../../../lib/language.ts';

export const workflowImport: Catalogue = {
  'This is no workflow': 'Das ist kein Workflow',
  'Opened {id} as a draft': '{id} als Entwurf geöffnet',
  'Save it as a version in the editor.': 'Im Editor als Version speichern.',
  'Of a workflow that is there, or of a new one': 'Eines vorhandenen Workflows oder eines neuen',
  'A new workflow is made, and the file becomes its draft.':
    'Ein neuer Workflow entsteht, und die Datei wird sein Entwurf.',
  '“{name}” is there. The file becomes a draft over its newest version; an unsaved draft of it in this window is replaced.':
    '„{name}“ ist vorhanden. Die Datei wird ein Entwurf über seiner neuesten Version; ein nicht gespeicherter Entwurf davon in diesem Fenster wird ersetzt.',
  'Make it': 'Anlegen',
  'Open as a draft': 'Als Entwurf öffnen',
  '{name} is no JSON ({reason}).': '{name} ist kein JSON ({reason}).',
  '{name} holds no workflow: expected an object.': '{name} enthält keinen Workflow: Erwartet wird ein Objekt.',
  '{name} holds no workflow: expected a definition with a list of nodes.':
    '{name} enthält keinen Workflow: Erwartet wird eine Definition mit einer Liste von Knoten.',
};
