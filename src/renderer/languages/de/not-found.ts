import type { Catalogue } from '../../../lib/language.ts';

export const notFound: Catalogue = {
  'Page not found': 'Seite nicht gefunden',
  'There is no page at this address': 'Unter dieser Adresse gibt es keine Seite',
  'Go to overview': 'Zur Übersicht',
  '{code} is not a page of the console. Press Ctrl K to find a job, workflow or worker by name or ID.':
    '{code} ist keine Seite der Konsole. Mit Strg K einen Job, Workflow oder Worker nach Name oder ID finden.',
};
