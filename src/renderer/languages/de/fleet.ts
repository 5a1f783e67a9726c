import type { Catalogue } from '../../../lib/language.ts';

export const fleet: Catalogue = {
  Up: 'In Betrieb',
  Refused: 'Zurückgewiesen',
  'No answer': 'Keine Antwort',
  'Answered in {ms} ms': 'Antwort in {ms} ms',
  Cluster: 'Cluster',
  'shown here': 'hier gezeigt',
  'Last heard': 'Zuletzt gehört',
  Queue: 'Warteschlange',
  'Failed, 1 h': 'Fehlschläge, 1 h',
  '{up} of {all}': '{up} von {all}',
  '{up} of {all} clusters answer': '{up} von {all} Clustern antworten',
  'Search all clusters': 'Alle Cluster durchsuchen',
  'Id, external id, text': 'ID, externe ID, Text',
  Clusters: 'Cluster',
  'The clusters could not be read': 'Die Cluster konnten nicht gelesen werden',
  'No cluster is known': 'Kein Cluster ist bekannt',
  'Its figures are those of the last answer.': 'Seine Zahlen sind die der letzten Antwort.',
  'A browser sees the one cluster that served this page. The desktop app keeps several, asks them all and searches them together; their tokens stay in the app.':
    'Ein Browser sieht den einen Cluster, der diese Seite ausliefert. Die Desktop-App hält mehrere, fragt sie alle und durchsucht sie gemeinsam; ihre Tokens bleiben in der App.',
  '{count} things': '{count} Fund|{count} Funde',
  'It has not answered yet; the others are not held up by it.':
    'Er hat noch nicht geantwortet; die anderen hält er nicht auf.',
  'It could not be searched: {problem}': 'Er konnte nicht durchsucht werden: {problem}',
  'Nothing is known by it here.': 'Darunter ist hier nichts bekannt.',
};
