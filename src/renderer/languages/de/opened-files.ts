import type { Catalogue } from '../../../lib/language.ts';

export const openedFiles: Catalogue = {
  'It has {bytes}; at most {most} are read.': 'Sie hat {bytes}; höchstens {most} werden gelesen.',
  'The name of a workflow ends in .workflow.json, that of an incident bundle in .yardmaster-incident.':
    'Der Name eines Workflows endet auf .workflow.json, der eines Vorfallspakets auf .yardmaster-incident.',
  '{name} cannot be opened here': '{name} lässt sich hier nicht öffnen',
  'Drop a workflow or an incident bundle to open it': 'Einen Workflow oder ein Vorfallspaket ablegen, um es zu öffnen',
  'The link is copied': 'Der Link ist kopiert',
};
