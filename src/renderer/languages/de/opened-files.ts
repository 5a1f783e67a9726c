import type { Catalogue } from '../../../lib/language.ts';

export const openedFiles: Catalogue = {
  'It has {bytes}; at most {most} are read.': 'Sie hat {bytes}; höchstens {most} werden gelesen.',
  'Drop a workflow or an incident bundle to open it': 'Einen Workflow oder ein Vorfallspaket ablegen, um es zu öffnen',
  'The link is copied': 'Der Link ist kopiert',
};
