import type { Catalogue } from '../../../lib/language.ts';

export const workflowTry: Catalogue = {
  Response: 'Antwort',
  'No request sent yet': 'Noch kein Request gesendet',
  'Send calls the real endpoint and creates a job that runs on the workers.':
    'Senden ruft den echten Endpunkt auf und erzeugt einen Job, der auf den Workern läuft.',
  'Job {anchor}': 'Job {anchor}',
  Body: 'Body',
  'Headers ({count})': 'Header ({count})',
  'The body is not JSON; see the Text tab.': 'Der Body ist kein JSON; siehe Text.',
  'Response body': 'Antwort-Body',
  'Body as text': 'Body als Text',
  'Node {strong} failed with {code}: {message}': 'Knoten {strong} ist fehlgeschlagen mit {code}: {message}',
  'Open failed task': 'Fehlgeschlagenen Task öffnen',
  'finished after {duration}': 'beendet nach {duration}',
  'The job is running; its output appears here.': 'Der Job läuft; seine Ausgabe erscheint hier.',
  'Job output': 'Ausgabe des Jobs',
  'Node {strong} failed with {code}: {taskMessage}': 'Knoten {strong} ist fehlgeschlagen mit {code}: {taskMessage}',
  'Enter an API key above, or create one.': 'Oben einen API-Schlüssel eingeben oder einen erzeugen.',
  'Create a new key, or check Keys.': 'Einen neuen Schlüssel erzeugen oder unter Schlüssel nachsehen.',
  'The key has no access to this workflow in this environment. Create one that has.':
    'Der Schlüssel hat in dieser Umgebung keinen Zugriff auf diesen Workflow. Einen passenden erzeugen.',
  'Publish a version to this environment first.': 'Zuerst eine Version in dieser Umgebung veröffentlichen.',
  'No worker is online: check Workers. An asynchronous call would wait for one.':
    'Kein Worker ist online: unter Worker nachsehen. Ein asynchroner Aufruf würde auf einen warten.',
  'The job continues. Its page shows the output when it has finished.':
    'Der Job läuft weiter. Seine Seite zeigt die Ausgabe, sobald er beendet ist.',
  'This call as code': 'Dieser Aufruf als Code',
  'Call in {language}': 'Aufruf in {language}',
  'Copy as {language}': 'Als {language} kopieren',
  "The code reads the key from the environment variable YARDMASTER_API_KEY. Don't put keys into source code.":
    'Der Code liest den Schlüssel aus der Umgebungsvariable YARDMASTER_API_KEY. Schlüssel gehören nicht in den Quellcode.',
  'Copy the export command': 'Befehl zum Setzen kopieren',
  'Try {id} in {environment}': '{id} in {environment} ausprobieren',
  'Key created': 'Schlüssel erzeugt',
  'Its scope is {id} in {environment}. It expires in {KEY_HOURS} hours.':
    'Er gilt für {id} in {environment} und läuft in {KEY_HOURS} Stunden ab.',
  'Could not create the key': 'Der Schlüssel konnte nicht erzeugt werden',
  'Creates a key for this workflow in {environment}, valid for {KEY_HOURS} hours. Kept only in this window.':
    'Erzeugt einen Schlüssel für diesen Workflow in {environment}, {KEY_HOURS} Stunden gültig. Nur in diesem Fenster.',

  'Not published in {environment}': 'In {environment} nicht veröffentlicht',
  'The call will return 404 NOT_PUBLISHED.': 'Der Aufruf liefert 404 NOT_PUBLISHED.',
  'a JSON array, one object per run': 'ein JSON-Array, ein Objekt je Lauf',
  'The input already matches the example from the schema.':
    'Die Eingabe entspricht bereits dem Beispiel aus dem Schema.',
  'The job continues.': 'Der Job läuft weiter.',
  'The response arrives when the job has finished. Failed tasks are retried first.':
    'Die Antwort kommt, wenn der Job beendet ist. Fehlgeschlagene Tasks werden vorher wiederholt.',
  'Stop waiting': 'Nicht länger warten',
  'Ctrl+Enter': 'Strg+Eingabe',
  'The key is kept only in this window.': 'Der Schlüssel bleibt nur in diesem Fenster.',
  'A call needs a key with access to {id} in {environment}: paste one, or create one that is valid for {KEY_HOURS} hours.':
    'Ein Aufruf braucht einen Schlüssel mit Zugriff auf {id} in {environment}: einen einfügen oder einen erzeugen, der {KEY_HOURS} Stunden gültig ist.',
  'The job is waiting': 'Der Job wartet',
  'The response is no longer awaited. The job continues.':
    'Auf die Antwort wird nicht mehr gewartet. Der Job läuft weiter.',
  '{strong} waits until a person approves or rejects.': '{strong} wartet, bis jemand zustimmt oder ablehnt.',
  '{strong} waits for the signal {code}.': '{strong} wartet auf das Signal {code}.',
  '{strong} waits until {time}.': '{strong} wartet bis {time}.',
  Send: 'Senden',
  'Run asynchronously (Prefer: respond-async)': 'Asynchron ausführen (Prefer: respond-async)',
};
