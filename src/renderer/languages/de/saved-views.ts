import type { Catalogue } from '../../../lib/language.ts';

export const savedViews: Catalogue = {
  Views: 'Ansichten',
  'No saved view yet. Set filters, order and columns, then give them a name.':
    'Noch keine gespeicherte Ansicht. Filter, Reihenfolge und Spalten einstellen, dann einen Namen geben.',
  'Remove the view {name}': 'Ansicht {name} entfernen',
  'Save this view as': 'Diese Ansicht speichern als',
};
