import type { Catalogue } from '../../../lib/language.ts';

export const logQuery: Catalogue = {
  'how bad it is': 'wie schlimm es ist',
  'the message': 'die Meldung',
  'the job it came from': 'der Job, aus dem sie kam',
  'the task it came from': 'der Task, aus dem sie kam',
  'the worker that ran it': 'der Worker, der ihn ausführte',
  'the program that wrote it': 'das Programm, das sie schrieb',
  'when it happened, such as _time:5m': 'wann es geschah, etwa _time:5m',
  'a field of these records': 'ein Feld dieser Einträge',
  'LogsQL query': 'LogsQL-Abfrage',
  'Clear the query': 'Abfrage löschen',
  Completions: 'Vervollständigungen',
};
