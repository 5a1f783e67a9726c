import type { Catalogue } from '../../../lib/language.ts';

export const workflowShadow: Catalogue = {
  'Filter inputs': 'Eingaben filtern',
  'Backtest of one input': 'Backtest einer Eingabe',
  'Input {number}': 'Eingabe {number}',
  'Originally failed with {code}: {message}': 'Schlug ursprünglich fehl mit {code}: {message}',
  'Only ignored fields differ': 'Nur ignorierte Felder weichen ab',

  'A recorded external response may not fit: {node}':
    'Eine aufgezeichnete externe Antwort passt vielleicht nicht: {node}',
  'Could not ignore the field': 'Das Feld konnte nicht ignoriert werden',
  'Output differences': 'Unterschiede der Ausgaben',
  'in {count} inputs': 'in {count} Eingabe|in {count} Eingaben',
  'Always ignore {path}': '{path} immer ignorieren',
  'Always ignore': 'Immer ignorieren',
  'and {count} more fields': 'und {count} weiteres Feld|und {count} weitere Felder',
  'Always ignored:': 'Immer ignoriert:',
  'Could not restore the field': 'Das Feld konnte nicht wieder aufgenommen werden',
  'Compare {path} again': '{path} wieder vergleichen',
  'Could not load the result': 'Das Ergebnis konnte nicht geladen werden',
  'Input {number} of job {job}': 'Eingabe {number} von Job {job}',
  'Previous input': 'Vorige Eingabe',
  'Next input': 'Nächste Eingabe',
  'Originally ran on {old}; replayed on {fresh}.': 'Lief ursprünglich mit {old}; wiederholt mit {fresh}.',
  'The outputs are too large to store; the differences are listed below.':
    'Die Ausgaben sind zu groß zum Speichern; die Unterschiede stehen unten.',
  'Outputs side by side': 'Ausgaben nebeneinander',

  New: 'Neu',

  '(ignored)': '(ignoriert)',
  'Replay recent inputs (backtest)': 'Letzte Eingaben wiederholen (Backtest)',
  'Runs recorded inputs on this version. No external calls are made: HTTP, handlers and other workflows return their recorded responses.':
    'Führt aufgezeichnete Eingaben mit dieser Version aus. Es gibt keine externen Aufrufe: HTTP, Handler und andere Workflows liefern ihre aufgezeichneten Antworten.',
  'Recent inputs': 'Eingaben',
  of: 'von',
  'There is no version to test.': 'Es gibt keine Version zum Testen.',
  'Replay again': 'Erneut wiederholen',
  'Replayed inputs': 'Wiederholte Eingaben',
  '{done} of {total}': '{done} von {total}',
  'Stopped after {done} of {total} inputs, {timeAgo}.': 'Gestoppt nach {done} von {total} Eingaben, {timeAgo}.',
  '{total} input from {environment}, replayed {timeAgo}.': '{total} Eingabe aus {environment}, wiederholt {timeAgo}.',
  '{total} inputs from {environment}, replayed {timeAgo}.': '{total} Eingaben aus {environment}, wiederholt {timeAgo}.',
  'Now fails': 'Schlägt jetzt fehl',
  Different: 'Anders',
  'Not run': 'Nicht ausgeführt',
  Fixed: 'Behoben',
  'This environment has no finished calls to replay.': 'Diese Umgebung hat keine beendeten Aufrufe zum Wiederholen.',
  'No differences so far.': 'Bisher keine Unterschiede.',
  '{count} inputs differ so far.': '{count} Eingabe weicht bisher ab.|{count} Eingaben weichen bisher ab.',
  '{count} of {ran} inputs differ. Review them before you publish.':
    '{count} von {ran} Eingaben weicht ab. Vor dem Veröffentlichen prüfen.|{count} von {ran} Eingaben weichen ab. Vor dem Veröffentlichen prüfen.',
  'None of the inputs could be replayed.': 'Keine der Eingaben konnte wiederholt werden.',
  'All {count} replayed inputs give the same result.':
    'Die wiederholte Eingabe ergibt dasselbe.|Alle {count} wiederholten Eingaben ergeben dasselbe.',
  'All {count} replayed inputs failed before and are fixed now.':
    'Die wiederholte Eingabe schlug vorher fehl und ist jetzt behoben.|Alle {count} wiederholten Eingaben schlugen vorher fehl und sind jetzt behoben.',
  '{fixed} of {ran} replayed inputs failed before and are fixed now; {same} give the same result.':
    '{fixed} von {ran} wiederholten Eingaben schlugen vorher fehl und sind jetzt behoben; {same} ergeben dasselbe.',
  'the whole output': 'die ganze Ausgabe',
};
