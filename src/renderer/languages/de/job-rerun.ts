import type { Catalogue } from '../../../lib/language.ts';

export const jobRerun: Catalogue = {
  'Expected a list of inputs.': 'Erwartet wird eine Liste von Eingaben.',
  'Nothing is published there now.': 'Dort ist jetzt nichts veröffentlicht.',
  'Choose a version.': 'Eine Version wählen.',
  'The inputs are being read.': 'Die Eingaben werden gelesen.',
  'The inputs have faults.': 'Die Eingaben haben Fehler.',
  'Run the job again': 'Job erneut ausführen',
  Begin: 'Beginn',
  'At the beginning': 'Am Anfang',
  'Original ({value})': 'Ursprüngliche ({value})',
  'Published in {environment} (none)': 'Veröffentlicht in {environment} (keine)',
  'Published in {environment} ({hash})': 'Veröffentlicht in {environment} ({hash})',
  'Another…': 'Eine andere…',
  'Choose the version': 'Version wählen',
  'Every node runs again.': 'Jeder Knoten läuft erneut.',
  'What was finished before {fromNode} is taken over; {fromNode} and what follows it run again.':
    'Was vor {fromNode} beendet wurde, wird übernommen; {fromNode} und alles danach läuft erneut.',
  'The new job has links to this one; this one stays as it is.':
    'Der neue Job ist mit diesem verknüpft; dieser bleibt, wie er ist.',
  'Inputs ({inputCount})': 'Eingaben ({inputCount})',
  'Inputs of {fromNode}': 'Eingaben von {fromNode}',
  'The same': 'Dieselben',
  Edited: 'Bearbeitet',
  'The inputs could not be read': 'Die Eingaben konnten nicht gelesen werden',
  'And {count} more.': 'Und {count} weitere.',
  'Run again': 'Erneut ausführen',
  'the inputs': 'die Eingaben',
  'The inputs cannot be edited here': 'Die Eingaben können hier nicht bearbeitet werden',
  'The job has {count} inputs; up to {most} can be edited here. Send the others as a new job.':
    'Der Job hat {count} Eingaben; hier lassen sich bis zu {most} bearbeiten. Andere als neuen Job senden.',
  'They are {size} of text; up to {most} can be edited here. Send them as a new job.':
    'Sie sind {size} Text; hier lassen sich bis zu {most} bearbeiten. Als neuen Job senden.',
};
