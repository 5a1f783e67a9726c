import type { Catalogue } from '../../../lib/language.ts';

export const jobTasks: Catalogue = {
  'Item {item} of replica {replica}': 'Element {item} von Replikat {replica}',
  'Progress: {words}': 'Fortschritt: {words}',
};
