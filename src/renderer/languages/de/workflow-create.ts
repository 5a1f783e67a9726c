import type { Catalogue } from '../../../lib/language.ts';

export const workflowCreate: Catalogue = {
  'This ID is already used. Archived workflows keep their ID.':
    'Diese ID ist bereits vergeben. Archivierte Workflows behalten ihre ID.',
  'Created {id}': '{id} angelegt',
  'Save the first version in the builder.': 'Die erste Version im Builder speichern.',
  'Display name': 'Anzeigename',
  "Part of the URL. Lowercase letters, digits and hyphens, max. 63. Can't be changed later.":
    'Teil der URL. Kleinbuchstaben, Ziffern und Bindestriche, max. 63. Später nicht änderbar.',
  'Start with': 'Beginnen mit',
  'Small example': 'Kleines Beispiel',
  'Input, transform and output; ready to run': 'Eingabe, Umformung und Ausgabe; sofort lauffähig',
  'Blank workflow': 'Leerer Workflow',
  'No nodes': 'Keine Knoten',
  Create: 'Anlegen',
  'From scratch': 'Von Grund auf',
  'Search templates': 'Vorlagen durchsuchen',
  'No templates match “{text}”': 'Keine Vorlage passt zu „{text}“',
  'Could not save the test cases of the template': 'Die Testfälle der Vorlage konnten nicht gespeichert werden',
  'Opens as a draft with an example input. Its test cases are in the tab Tests.':
    'Öffnet sich als Entwurf mit einer Beispieleingabe. Die Testfälle stehen im Tab Tests.',
  'Or start from a template:': 'Oder mit einer Vorlage beginnen:',
  Templates: 'Vorlagen',
  'Template: {name}': 'Vorlage: {name}',
  Integrations: 'Integrationen',
  'People and waits': 'Personen und Warten',
  Data: 'Daten',
  'Call an API': 'Eine API aufrufen',
  'Sends one HTTP request and returns only the fields you need.':
    'Sendet eine HTTP-Anfrage und gibt nur die benötigten Felder zurück.',
  'Call an API for each item': 'Eine API je Element aufrufen',
  'Sends a request for each item of a list, five at a time; failed items do not stop the others.':
    'Sendet für jedes Element einer Liste eine Anfrage, fünf gleichzeitig; Fehler halten die anderen nicht auf.',
  'Combine two APIs': 'Zwei APIs verbinden',
  'Calls two APIs at the same time and merges their responses.':
    'Ruft zwei APIs gleichzeitig auf und führt ihre Antworten zusammen.',
  'Call an API with a fallback': 'Eine API mit Ersatzwert aufrufen',
  'Retries a request twice; if it still fails, continues with a default value.':
    'Wiederholt eine Anfrage zweimal; schlägt sie dann noch fehl, geht es mit einem Ersatzwert weiter.',
  'Route an event': 'Ein Ereignis weiterleiten',
  'Posts critical events to a webhook at once and collects all others for a digest.':
    'Sendet kritische Ereignisse sofort an einen Webhook und sammelt alle anderen für eine Übersicht.',
  'Copy records between systems': 'Datensätze zwischen Systemen kopieren',
  'Reads records from one API, reshapes them, writes each to another and reports what failed.':
    'Liest Datensätze aus einer API, formt sie um, schreibt jeden in eine andere und meldet, was fehlschlug.',
  'Validate records': 'Datensätze prüfen',
  'Checks and normalizes records in code and returns the rejected ones with reasons.':
    'Prüft und vereinheitlicht Datensätze im Code und gibt die abgelehnten mit Gründen zurück.',
  'Summarize as a report': 'Als Bericht zusammenfassen',
  'Totals orders by country and renders a text report.':
    'Summiert Bestellungen nach Land und erstellt einen Textbericht.',
  'Approve large amounts': 'Hohe Beträge genehmigen',
  'Approves small requests automatically and asks a person about those above a limit.':
    'Genehmigt kleine Anträge automatisch und fragt bei Beträgen über einer Grenze eine Person.',
  'Wait for a payment': 'Auf eine Zahlung warten',
  'Waits up to three days for a signal from outside, then confirms or sends a reminder.':
    'Wartet bis zu drei Tage auf ein Signal von außen und bestätigt dann oder erinnert.',
};
