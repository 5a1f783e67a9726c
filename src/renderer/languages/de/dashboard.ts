import type { Catalogue } from '../../../lib/language.ts';

export const dashboard: Catalogue = {
  '{label}: spread over time, at most {most} in a field':
    '{label}: Verteilung über die Zeit, höchstens {most} in einem Feld',
  'Log lines by level': 'Logzeilen nach Stufe',
  'No line in this time.': 'Keine Zeile in dieser Zeit.',
  'The logs could not be read': 'Die Logs konnten nicht gelesen werden',
  'No line matches in this time.': 'Keine Zeile passt in dieser Zeit.',
  'All that match': 'Alle passenden',
  'No data in this time.': 'Keine Daten in dieser Zeit.',
  '{more} more': '{more} weitere',
  'Leave full screen': 'Vollbild verlassen',
  'Actions for {title}': 'Aktionen für {title}',
  'Full screen': 'Vollbild',
  CSV: 'CSV',
  PNG: 'PNG',
  'The panel could not be read': 'Das Panel konnte nicht gelesen werden',
  'alert: a rule that is gone': 'Alarm: eine Regel, die es nicht mehr gibt',
  'alert: {ruleName}': 'Alarm: {ruleName}',
  '{at} · {least} to {most}: {count}': '{at} · {least} bis {most}: {count}',
  'published {name} to {environment}': '{name} in {environment} veröffentlicht',
  'published {name}': '{name} veröffentlicht',
  'killed {name}': '{name} gestoppt',
  '{label}: all': '{label}: alle',
};
