import type { Catalogue } from '../../../lib/language.ts';

export const dashboard: Catalogue = {
  '{label}: distribution over time, at most {most} per cell':
    '{label}: Verteilung über die Zeit, höchstens {most} pro Zelle',
  'Log lines by level': 'Logzeilen nach Level',
  'No lines in this time range.': 'Keine Zeilen in diesem Zeitraum.',
  'Could not load logs': 'Logs konnten nicht geladen werden',
  'No matching lines in this time range.': 'Keine passenden Zeilen in diesem Zeitraum.',
  'View all in Logs': 'Alle in Logs ansehen',
  'No data in this time range.': 'Keine Daten in diesem Zeitraum.',
  '{more} more': '{more} weitere',
  'Exit full screen': 'Vollbild verlassen',
  'Actions for {title}': 'Aktionen für {title}',
  'Full screen': 'Vollbild',
  CSV: 'CSV',
  PNG: 'PNG',
  'Could not load the panel': 'Das Panel konnte nicht geladen werden',
  'alert: deleted rule': 'Alarm: gelöschte Regel',
  'alert: {ruleName}': 'Alarm: {ruleName}',
  '{at} · {least} to {most}: {count}': '{at} · {least} bis {most}: {count}',
  'published {name} to {environment}': '{name} in {environment} veröffentlicht',
  'published {name}': '{name} veröffentlicht',
  'killed {name}': '{name} gestoppt',
  '{label}: all': '{label}: alle',
};
