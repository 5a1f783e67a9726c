import type { Catalogue } from '../../../lib/language.ts';

export const overview: Catalogue = {
  'Slots taken': 'Belegte Slots',
  '{ready} ready, {scheduled} scheduled, {running} running': '{ready} bereit, {scheduled} zugeteilt, {running} laufen',
  ', {retrying} to be retried': ', {retrying} werden wiederholt',
  'No open failure in the last 24 hours. Failures gather here by cause.':
    'Kein offener Fehlschlag in den letzten 24 Stunden. Hier sammeln sich Fehlschläge nach Ursache.',
  '{link}, node {name}': '{link}, Knoten {name}',
  'its causes, and retry': 'Ursachen und Wiederholen',
  '{count} alerts fire': '{count} Alarm ist aktiv|{count} Alarme sind aktiv',
  'No jobs in the last hour': 'Keine Jobs in der letzten Stunde',
  'A job is made by each call of a published workflow. {link}, publish a version to dev, and call its endpoint.':
    'Jeder Aufruf eines veröffentlichten Workflows erzeugt einen Job. {link}, eine Version in dev veröffentlichen und den Endpunkt aufrufen.',
  'Make or open a workflow': 'Einen Workflow anlegen oder öffnen',
  'A job is made by each call of a published workflow. Take an {link}, or use {link2}.':
    'Jeder Aufruf eines veröffentlichten Workflows erzeugt einen Job. Einen {link} nehmen oder {link2} nutzen.',
  'API key': 'API-Schlüssel',
  'its Try it tab': 'den Tab „Ausprobieren“',
  'Call {workflowId} in {environment}': '{workflowId} in {environment} aufrufen',
  'The overview could not be read': 'Die Übersicht konnte nicht gelesen werden',
  'Latest failures by cause': 'Letzte Fehlschläge nach Ursache',
  'All failures': 'Alle Fehlschläge',
  Capacity: 'Kapazität',
  'Latest publications': 'Letzte Veröffentlichungen',
  'Nothing is published yet. {link} and publish a version.':
    'Noch ist nichts veröffentlicht. {link} und eine Version veröffentlichen.',
  'taken from': 'offline genommen in',
  to: 'in',
  'by {publishedBy}': 'von {publishedBy}',
  Show: 'Zeigen',
  never: 'nie',
  'Events through tasks, a minute, in the last hour': 'Ereignisse durch Tasks pro Minute in der letzten Stunde',
  'Events that tasks took in and errors of tasks, a minute, in the last hour':
    'Von Tasks aufgenommene Ereignisse und Fehler von Tasks pro Minute in der letzten Stunde',
  Events: 'Ereignisse',
  Errors: 'Fehler',
  'Jobs running': 'Laufende Jobs',
  '{createdLastHour} created in the last hour': '{createdLastHour} in der letzten Stunde erzeugt',
  '{value} Jobs failing': '{value} Fehlgeschlagene Jobs',
  '{value} % of the last hour': '{value} % der letzten Stunde',
  'none in the last hour': 'keine in der letzten Stunde',
  Throughput: 'Durchsatz',
  'jobs/min': 'Jobs/min',
  'mean of five minutes': 'Mittel über fünf Minuten',
  'Duration, p95': 'Dauer, p95',
  'no job ended in the last hour': 'kein Job endete in der letzten Stunde',
  'jobs ended in the last hour': 'Jobs endeten in der letzten Stunde',
};
