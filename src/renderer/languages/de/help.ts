import type { Catalogue } from '../../../lib/language.ts';

export const help: Catalogue = {
  'Search the docs': 'In der Dokumentation suchen',
  Back: 'Zurück',
  'All topics': 'Alle Themen',
  'Nothing in the docs holds these words.': 'Nichts in der Dokumentation enthält diese Wörter.',
  '{count} places': '{count} Fundstelle|{count} Fundstellen',
  Help: 'Hilfe',
  Table: 'Tabelle',
};
