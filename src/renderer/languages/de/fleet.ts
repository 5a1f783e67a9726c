import type { Catalogue } from '../../../lib/language.ts';

export const fleet: Catalogue = {
  Online: 'Online',
  'Access denied': 'Zugriff verweigert',
  'Not responding': 'Keine Antwort',
  'Responded in {ms} ms': 'Antwort in {ms} ms',
  Cluster: 'Cluster',
  current: 'aktuell',
  'Last response': 'Letzte Antwort',
  Queue: 'Queue',
  'Failed, 1 h': 'Fehlschläge, 1 h',
  '{up} of {all}': '{up} von {all}',
  '{up} of {all} clusters online': '{up} von {all} Clustern online',
  'Search all clusters': 'Alle Cluster durchsuchen',
  'ID, external ID, text': 'ID, externe ID, Text',
  Clusters: 'Cluster',
  'Could not load clusters': 'Cluster konnten nicht geladen werden',
  'No clusters': 'Keine Cluster',
  'Figures are from its last response.': 'Zahlen aus der letzten Antwort.',
  'In a browser you see only the cluster that serves this page. The desktop app connects to several clusters, shows them all and searches them together. Tokens stay in the app.':
    'Im Browser ist nur der Cluster zu sehen, der diese Seite ausliefert. Die Desktop-App verbindet sich mit mehreren, zeigt alle und durchsucht sie gemeinsam. Tokens bleiben in der App.',
  '{count} results': '{count} Treffer|{count} Treffer',
  'No response yet. Results from other clusters are not delayed.':
    'Noch keine Antwort. Treffer anderer Cluster werden nicht verzögert.',
  'Search failed: {problem}': 'Suche fehlgeschlagen: {problem}',
  'No results here.': 'Hier keine Treffer.',
};
