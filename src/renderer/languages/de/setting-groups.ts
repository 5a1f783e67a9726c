import type { Catalogue } from '../../../lib/language.ts';

/** Groups of settings, and what a setting that is no limit does. */
export const settingGroups: Catalogue = {
  'Retention and disk': 'Aufbewahrung und Speicherplatz',
  'Calls and inputs': 'Aufrufe und Eingaben',
  'Workers and tasks': 'Worker und Tasks',
  'People and access': 'Personen und Zugang',
  'Webhooks and schedules': 'Webhooks und Zeitpläne',
  'Drafts, tests, backtests': 'Entwürfe, Tests, Backtests',
  'Bulk and approvals': 'Sammelaktionen, Genehmigungen',
  'Search and analysis': 'Suche und Analyse',
  'Console and links': 'Konsole und Links',
  'All groups': 'Alle Gruppen',
  'Group of settings': 'Gruppe der Einstellungen',
  'What happens to a job after its retention: it is deleted, or first written to the archive.':
    'Was nach der Aufbewahrung mit einem Job geschieht: Er wird gelöscht oder zuvor ins Archiv geschrieben.',
  'Private hosts, addresses and ranges that http nodes may call.':
    'Private Hosts, Adressen und Bereiche, die http-Knoten aufrufen dürfen.',
  'Environments whose published versions change only after a second person approves.':
    'Umgebungen, deren veröffentlichte Version sich nur mit Zustimmung einer zweiten Person ändert.',
  'Bulk operations over more jobs than this need a second person.':
    'Sammelaktionen über mehr Jobs als diese Zahl brauchen eine zweite Person.',
  'Environments that accept no version whose test cases fail.':
    'Umgebungen, die keine Version annehmen, deren Testfälle fehlschlagen.',
  'Whether admins may approve their own requests, with a reason.':
    'Ob Administratoren eigene Anträge mit Begründung genehmigen dürfen.',
  'Link from a job to its trace in another tool.': 'Link von einem Job zu seinem Trace in einem anderen Werkzeug.',
  'Link from a job to a Grafana dashboard.': 'Link von einem Job zu einem Grafana-Dashboard.',
  'Link from a job to its logs in another tool.': 'Link von einem Job zu seinen Logs in einem anderen Werkzeug.',
};
