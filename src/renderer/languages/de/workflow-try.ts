import type { Catalogue } from '../../../lib/language.ts';

export const workflowTry: Catalogue = {
  Answer: 'Antwort',
  'Nothing was sent yet': 'Noch wurde nichts gesendet',
  'Send calls the real endpoint: it makes a job, which runs on the workers.':
    'Senden ruft den echten Endpunkt auf: Es entsteht ein Job, der auf den Workern läuft.',
  'Job {anchor}': 'Job {anchor}',
  Body: 'Inhalt',
  'Headers ({count})': 'Header ({count})',
  'The body is no JSON; it is shown under Text.': 'Der Inhalt ist kein JSON; er steht unter Text.',
  'Body of the answer': 'Inhalt der Antwort',
  'Body as text': 'Inhalt als Text',
  'Node {strong} failed with {code}: {message}': 'Knoten {strong} schlug fehl mit {code}: {message}',
  'Open the task that failed': 'Fehlgeschlagenen Task öffnen',
  'done after {duration}': 'fertig nach {duration}',
  'It runs; its output appears here.': 'Er läuft; seine Ausgabe erscheint hier.',
  'Output of the job': 'Ausgabe des Jobs',
  'Node {strong} failed with {code}: {taskMessage}': 'Knoten {strong} schlug fehl mit {code}: {taskMessage}',
  'Put a key into the field above, or make one.': 'Oben einen Schlüssel eintragen oder einen erzeugen.',
  'The key is unknown, revoked or expired. Make a new one, or look under Keys.':
    'Der Schlüssel ist unbekannt, widerrufen oder abgelaufen. Einen neuen erzeugen oder unter Schlüssel nachsehen.',
  'The key does not reach this workflow in this environment. Make one that does.':
    'Der Schlüssel erreicht diesen Workflow in dieser Umgebung nicht. Einen passenden erzeugen.',
  'Publish a version to this environment first.': 'Zuerst eine Version in dieser Umgebung veröffentlichen.',
  'Look under Workers: none is there, or none answers. An asynchronous call would wait for one.':
    'Unter Worker nachsehen: Keiner ist da, oder keiner antwortet. Ein asynchroner Aufruf würde auf einen warten.',
  'The job goes on. Its page shows its output once it is done.':
    'Der Job läuft weiter. Seine Seite zeigt die Ausgabe, sobald er fertig ist.',
  'The same call as code': 'Derselbe Aufruf als Code',
  'The call in {language}': 'Der Aufruf in {language}',
  'Copy as {language}': 'Als {language} kopieren',
  'It takes the key from the environment variable YARDMASTER_API_KEY. Keep keys out of source code.':
    'Er nimmt den Schlüssel aus der Umgebungsvariable YARDMASTER_API_KEY. Schlüssel gehören nicht in den Quellcode.',
  'Copy the line that sets it': 'Zeile zum Setzen kopieren',
  'Try {id} in {environment}': '{id} in {environment} ausprobieren',
  'A key was made': 'Ein Schlüssel wurde erzeugt',
  'It reaches {id} in {environment} and expires in {KEY_HOURS} hours.':
    'Er erreicht {id} in {environment} und läuft in {KEY_HOURS} Stunden ab.',
  'The key could not be made': 'Der Schlüssel konnte nicht erzeugt werden',
  'Makes a key for this workflow: reaches it in {environment}, for {KEY_HOURS} hours. Kept in this window only.':
    'Erzeugt einen Schlüssel für diesen Workflow in {environment}, {KEY_HOURS} Stunden gültig. Nur in diesem Fenster.',
  'Make a key': 'Schlüssel erzeugen',
  'Nothing is published to {environment}': 'In {environment} ist nichts veröffentlicht',
  'The call will be answered with 404 NOT_PUBLISHED.': 'Der Aufruf wird mit 404 NOT_PUBLISHED beantwortet.',
  'an array, an object for each run': 'eine Liste, ein Objekt je Lauf',
  'It is what the input schema gives already.': 'Es ist bereits das, was das Eingabeschema ergibt.',
  'The job runs on.': 'Der Job läuft weiter.',
  'The answer comes with the end of the job. A task that fails is tried again first.':
    'Die Antwort kommt mit dem Ende des Jobs. Ein Task, der fehlschlägt, wird zuvor noch einmal versucht.',
  'Stop waiting': 'Nicht länger warten',
  'Ctrl+Enter': 'Strg+Eingabe',
  Send: 'Senden',
  'Answer at once, run on (Prefer: respond-async)': 'Sofort antworten, weiterlaufen (Prefer: respond-async)',
};
