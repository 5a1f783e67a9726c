import type { Catalogue } from '../../../lib/language.ts';

export const help: Catalogue = {
  'Search the docs': 'In der Dokumentation suchen',
  Back: 'Zurück',
  'All topics': 'Alle Themen',
  'No results in the docs.': 'Keine Treffer in der Dokumentation.',

  Help: 'Hilfe',
  Table: 'Tabelle',
};
