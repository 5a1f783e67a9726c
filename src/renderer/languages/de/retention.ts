import type { Catalogue } from '../../../lib/language.ts';

export const retention: Catalogue = {
  Retention: 'Aufbewahrung',
  'Finished jobs, log lines and metrics are kept until somebody decides for how long. Suggested for {free} of free disk space:':
    'Beendete Jobs, Logzeilen und Metriken bleiben, bis jemand entscheidet, wie lange. Vorschlag für {free} freien Plattenplatz:',
  Apply: 'Übernehmen',
  'Change…': 'Ändern…',
  'Keep everything': 'Alles behalten',
  'Retention is set': 'Die Aufbewahrung ist eingestellt',
  'Everything is kept': 'Alles wird behalten',
  'Change it at any time in the settings, under Limits.': 'Jederzeit änderbar in den Einstellungen unter Limits.',
  '0: forever': '0: unbegrenzt',
  'Disk full': 'Festplatte voll',
  'Disk nearly full': 'Festplatte fast voll',
  '{free} of {total} free where the data folder is ({folder}).':
    '{free} von {total} frei, wo der Datenordner liegt ({folder}).',
  'Below {reserve}, log lines are refused; once it is full, jobs are too.':
    'Unter {reserve} werden Logzeilen abgelehnt, bei voller Platte auch Jobs.',
  'Free space or shorten retention': 'Platz schaffen oder die Aufbewahrung verkürzen',
};
