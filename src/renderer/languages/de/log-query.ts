import type { Catalogue } from '../../../lib/language.ts';

export const logQuery: Catalogue = {
  severity: 'Schweregrad',
  'the message': 'Meldung',
  'job that wrote the line': 'Job, der die Zeile schrieb',
  'task that wrote the line': 'Task, der die Zeile schrieb',
  'worker that ran the task': 'Worker, der den Task ausführte',
  'program that wrote the line': 'Programm, das die Zeile schrieb',
  'time of the line, for example _time:5m': 'Zeit der Zeile, zum Beispiel _time:5m',
  'a field of these records': 'ein Feld dieser Einträge',
  'LogsQL query': 'LogsQL-Abfrage',
  'Clear query': 'Abfrage löschen',
  Suggestions: 'Vorschläge',
};
