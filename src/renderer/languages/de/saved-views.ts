import type { Catalogue } from '../../../lib/language.ts';

export const savedViews: Catalogue = {
  Views: 'Ansichten',
  'No saved views yet. Set filters, sort order and columns, then enter a name.':
    'Noch keine gespeicherten Ansichten. Filter, Sortierung und Spalten einstellen, dann einen Namen eingeben.',
  'Delete view {name}': 'Ansicht {name} löschen',
  'Save current view as': 'Aktuelle Ansicht speichern als',
};
