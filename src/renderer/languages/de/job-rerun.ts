import type { Catalogue } from '../../../lib/language.ts';

export const jobRerun: Catalogue = {
  'Expected an array of inputs.': 'Erwartet wird ein Array von Eingaben.',
  'Nothing is published there.': 'Dort ist nichts veröffentlicht.',
  'Select a version.': 'Eine Version auswählen.',
  'Loading inputs.': 'Eingaben werden geladen.',
  'The inputs are invalid.': 'Die Eingaben sind ungültig.',
  'Rerun job': 'Job erneut ausführen',
  'Start from': 'Starten ab',
  Beginning: 'Anfang',
  'Original ({value})': 'Ursprüngliche ({value})',
  'Published in {environment} (none)': 'Veröffentlicht in {environment} (keine)',
  'Published in {environment} ({hash})': 'Veröffentlicht in {environment} ({hash})',
  'Other…': 'Andere…',
  'Select version': 'Version auswählen',
  'Every node runs again.': 'Jeder Knoten läuft erneut.',
  'Results of nodes before {fromNode} are reused; {fromNode} and everything after it runs again.':
    'Ergebnisse vor {fromNode} werden übernommen; {fromNode} und alles danach läuft erneut.',
  'The new job links to this one; this job is not changed.':
    'Der neue Job verweist auf diesen; dieser Job bleibt unverändert.',
  'Inputs ({inputCount})': 'Eingaben ({inputCount})',
  'Inputs of {fromNode}': 'Eingaben von {fromNode}',
  Original: 'Ursprünglich',
  Edited: 'Bearbeitet',
  'Could not load the inputs': 'Die Eingaben konnten nicht geladen werden',
  '{count} more.': '{count} weitere.',
  Rerun: 'Erneut ausführen',
  inputs: 'Eingaben',
  'The inputs cannot be edited here': 'Die Eingaben können hier nicht bearbeitet werden',
  'The job has {count} inputs; at most {most} can be edited here. Submit edited inputs as a new job instead.':
    'Der Job hat {count} Eingaben; höchstens {most} lassen sich hier bearbeiten. Geänderte Eingaben stattdessen als neuen Job senden.',
  'The inputs are {size}; at most {most} can be edited here. Submit edited inputs as a new job instead.':
    'Die Eingaben sind {size} groß; höchstens {most} lassen sich hier bearbeiten. Geänderte Eingaben stattdessen als neuen Job senden.',
};
