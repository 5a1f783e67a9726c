import type { Catalogue } from '../../../lib/language.ts';

export const jobViews: Catalogue = {
  'Job views': 'Job-Ansichten',
  '{count} open': '{count} offen',
  'All jobs': 'Alle Jobs',
};
