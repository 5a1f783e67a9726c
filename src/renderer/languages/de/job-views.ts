import type { Catalogue } from '../../../lib/language.ts';

export const jobViews: Catalogue = {
  'Views of jobs': 'Ansichten der Jobs',
  '{count} open': '{count} offen',
  'All jobs': 'Alle Jobs',
};
