import type { Catalogue } from '../../../lib/language.ts';

export const overview: Catalogue = {
  'Slots in use': 'Belegte Slots',
  '{ready} ready, {scheduled} scheduled, {running} running': '{ready} bereit, {scheduled} zugeteilt, {running} laufen',
  ', {retrying} waiting for retry': ', {retrying} warten auf Retry',
  'No open failures in the last 24 hours. Failures appear here grouped by cause.':
    'Keine offenen Fehlschläge in den letzten 24 Stunden. Fehlschläge erscheinen hier nach Ursache gruppiert.',
  '{link}, node {name}': '{link}, Knoten {name}',
  'View and retry': 'Ansehen und wiederholen',
  '{count} alerts firing': '{count} Alarm aktiv|{count} Alarme aktiv',
  '{count} alerts firing, all suppressed': '{count} Alarm aktiv, unterdrückt|{count} Alarme aktiv, alle unterdrückt',
  'No jobs in the last hour': 'Keine Jobs in der letzten Stunde',
  'Each call to a published workflow creates a job. {link}, publish a version to dev, then call its endpoint.':
    'Jeder Aufruf eines veröffentlichten Workflows erzeugt einen Job. {link}, eine Version in dev veröffentlichen, dann den Endpunkt aufrufen.',
  'Create or open a workflow': 'Einen Workflow anlegen oder öffnen',
  'Each call to a published workflow creates a job. Use an {link}, or {link2}.':
    'Jeder Aufruf eines veröffentlichten Workflows erzeugt einen Job. Einen {link} verwenden, oder {link2}.',
  'API key': 'API-Schlüssel',
  "the workflow's “Try it” tab": 'den Tab „Ausprobieren“ des Workflows',
  'Call {workflowId} in {environment}': '{workflowId} in {environment} aufrufen',
  'Could not load the overview': 'Die Übersicht konnte nicht geladen werden',
  'Recent failures by cause': 'Letzte Fehlschläge nach Ursache',
  '{count} damaged parts of the data': '{count} beschädigter Teil der Daten|{count} beschädigte Teile der Daten',
  'What cannot be read for certain is not shown and not used. Check the disk, then restore it: stop the master and run yardmaster repair --from BACKUP.':
    'Was nicht sicher lesbar ist, wird nicht gezeigt und nicht verwendet. Die Platte prüfen, dann wiederherstellen: den Master anhalten und yardmaster repair --from BACKUP ausführen.',
  'All failures': 'Alle Fehlschläge',
  Capacity: 'Kapazität',
  'Recently published': 'Zuletzt veröffentlicht',
  'Nothing published yet. {link} and publish a version.':
    'Noch nichts veröffentlicht. {link} und eine Version veröffentlichen.',
  'unpublished from': 'zurückgezogen aus',
  to: 'in',
  'by {publishedBy}': 'von {publishedBy}',
  View: 'Ansehen',

  'Task events per minute (last hour)': 'Task-Events pro Minute (letzte Stunde)',
  'Task input events and task errors per minute in the last hour':
    'Eingehende Task-Events und Task-Fehler pro Minute in der letzten Stunde',
  Events: 'Events',
  Errors: 'Fehler',
  'Running jobs': 'Laufende Jobs',
  '{createdLastHour} created in the last hour': '{createdLastHour} in der letzten Stunde erzeugt',
  '{value} Failed jobs': '{value} Fehlgeschlagene Jobs',
  '{share} in the last hour': '{share} in der letzten Stunde',
  'none in the last hour': 'keine in der letzten Stunde',
  Throughput: 'Durchsatz',
  'jobs/min': 'Jobs/min',
  '5-minute average': '5-Minuten-Mittel',
  'Duration, p95': 'Dauer, p95',
  'no jobs finished in the last hour': 'keine Jobs in der letzten Stunde beendet',
  'jobs finished in the last hour': 'Jobs in der letzten Stunde beendet',
};
