import type { Catalogue } from '../../../lib/language.ts';

export const notices: Catalogue = {
  'Notifications, {count} not read':
    'Benachrichtigungen, {count} nicht gelesen|Benachrichtigungen, {count} nicht gelesen',
  'What was done here': 'Was hier getan wurde',
  'The messages that show for a few seconds': 'Die Meldungen, die einige Sekunden zu sehen sind',
  'Alerts that fire': 'Aktive Alarme',
  'As they begin to': 'Sobald sie beginnen',
  'Bulk operations that ended': 'Beendete Sammelvorgänge',
  'With what became of them': 'Mit dem, was aus ihnen wurde',
  'Publications by others': 'Veröffentlichungen anderer',
  'What went to which environment': 'Was in welche Umgebung ging',
  'Workers that are lost': 'Verlorene Worker',
  'That no longer answer': 'Die nicht mehr antworten',
  'What to tell': 'Was mitgeteilt wird',
  'Mark all as read': 'Alle als gelesen markieren',
  Clear: 'Leeren',
  'on this computer': 'auf diesem Rechner',
  'in this browser': 'in diesem Browser',
  'Alerts, ended operations, publications by others and lost workers are told here, and kept {here}.':
    'Alarme, beendete Vorgänge, Veröffentlichungen anderer und verlorene Worker werden hier mitgeteilt und {here} aufbewahrt.',
  'Notifications, newest first': 'Benachrichtigungen, neueste zuerst',
  new: 'neu',
};
