import type { Catalogue } from '../../../lib/language.ts';

export const notices: Catalogue = {
  'Notifications, {count} unread': 'Benachrichtigungen, {count} ungelesen|Benachrichtigungen, {count} ungelesen',
  'Your actions': 'Eigene Aktionen',
  'Messages that appear for a few seconds': 'Meldungen, die einige Sekunden zu sehen sind',
  'Firing alerts': 'Aktive Alarme',
  'When an alert starts firing': 'Sobald ein Alarm auslöst',
  'Finished bulk operations': 'Beendete Sammelvorgänge',
  'With their result': 'Mit ihrem Ergebnis',
  'Publications by others': 'Veröffentlichungen anderer',
  'Which version went to which environment': 'Welche Version in welche Umgebung ging',
  'Lost workers': 'Verlorene Worker',
  'Workers that stopped responding': 'Worker, die nicht mehr antworten',
  Failovers: 'Failovers',
  'When another master takes over': 'Wenn ein anderer Master übernimmt',
  Preferences: 'Einstellungen',
  'Mark all as read': 'Alle als gelesen markieren',
  Clear: 'Leeren',
  'on this computer': 'auf diesem Rechner',
  'in this browser': 'in diesem Browser',
  'Alerts, finished operations, publications by others, lost workers and failovers appear here and are kept {here}.':
    'Alarme, beendete Vorgänge, Veröffentlichungen anderer, verlorene Worker und Failovers erscheinen hier und werden {here} aufbewahrt.',
  'Notifications, newest first': 'Benachrichtigungen, neueste zuerst',
  new: 'neu',
};
