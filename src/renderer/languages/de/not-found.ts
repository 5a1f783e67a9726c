import type { Catalogue } from '../../../lib/language.ts';

export const notFound: Catalogue = {
  'No such page': 'Seite nicht gefunden',
  'Nothing is at this address': 'Unter dieser Adresse ist nichts',
  'To the overview': 'Zur Übersicht',
  '{code} is no page of the console. Press Ctrl K to find a job, workflow or worker by name or id.':
    '{code} ist keine Seite der Konsole. Mit Strg K einen Job, Workflow oder Worker nach Name oder ID finden.',
};
