import type { Catalogue } from '../../../lib/language.ts';

export const openedFiles: Catalogue = {
  'It is {bytes}; the maximum is {most}.': 'Sie ist {bytes} groß; höchstens {most} sind möglich.',
  'Expected a .workflow.json or .yardmaster-incident file.':
    'Erwartet wird eine Datei mit der Endung .workflow.json oder .yardmaster-incident.',
  'Could not open {name}': '{name} konnte nicht geöffnet werden',
  'Drop a workflow or an incident bundle to open it': 'Einen Workflow oder ein Vorfallspaket ablegen, um es zu öffnen',
};
