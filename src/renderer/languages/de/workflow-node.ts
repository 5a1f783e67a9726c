import type { Catalogue } from '../../../lib/language.ts';

export const workflowNode: Catalogue = {
  secret: 'Geheimnis',
  'secret values': 'geheime Werte',
  'input of the node': 'Eingabe des Knotens',
  'logging, attempt, secrets': 'Logging, Versuch, Geheimnisse',
  '(level, message, fields?) writes a log line': '(level, message, fields?) schreibt eine Logzeile',
  'attempt number, starting at 1': 'Nummer des Versuchs, ab 1',

  'array of {count}': 'Array mit {count}',
  object: 'Objekt',
  'No worker has registered a handler yet.': 'Noch hat kein Worker einen Handler registriert.',
  'Other settings, edited as JSON below: {names}.': 'Weitere Einstellungen, unten als JSON bearbeitbar: {names}.',
  'Edit {label} in a larger window': '{label} in einem größeren Fenster bearbeiten',
  'Evaluating…': 'Wird ausgewertet…',
  'Result for the sample': 'Ergebnis für das Beispiel',
  'Result of {label}': 'Ergebnis von {label}',
  'No result within 6 seconds.': 'Kein Ergebnis binnen 6 Sekunden.',
  'Run the draft to see the result here and to get suggestions from real data.':
    'Den Entwurf ausführen, um hier das Ergebnis und Vorschläge aus echten Daten zu sehen.',
  'Result: failed': 'Ergebnis: fehlgeschlagen',
  'Change settings': 'Einstellungen ändern',
  'Rename {id} to {next}': '{id} in {next} umbenennen',
  'Change the input schema': 'Eingabeschema ändern',
  'Retries and timeouts': 'Retries und Timeouts',
  'As JSON': 'Als JSON',
  'All settings, including those without a form field. The ID is changed above.':
    'Alle Einstellungen, auch ohne Formularfeld. Die ID wird oben geändert.',
  'A node must be an object with an ID and a type.': 'Ein Knoten muss ein Objekt mit ID und Typ sein.',
  'Keep the ID {id} here; change it above.': 'Die ID {id} hier beibehalten; sie wird oben geändert.',
  'Use letters, digits and _ . : -, max. 100.': 'Buchstaben, Ziffern und _ . : -, max. 100.',
  'Another node has this ID.': 'Ein anderer Knoten hat diese ID.',
  'Used in edges and expressions; these are updated when it changes':
    'In Kanten und Ausdrücken verwendet; sie werden bei Änderung angepasst',
  'Name {number} of {label}': 'Name {number} von {label}',
  name: 'Name',
  'Value of {name}': 'Wert von {name}',
  'Add to {label}': 'Zu {label} hinzufügen',
  '{name} is set twice: the last one is used.': '{name} ist zweimal gesetzt: Der letzte Wert gilt.',
  'Shown instead of the ID': 'Wird statt der ID angezeigt',
  'With several inputs': 'Bei mehreren Eingängen',
  'An object keyed by predecessor, or the value of the one that ran':
    'Ein Objekt nach Vorgängern, oder der Wert des ausgeführten',
  Retries: 'Retries',
  'After retryable errors (default 3)': 'Nach Fehlern, die einen Retry erlauben (Standard 3)',
  'Initial retry backoff': 'Erster Retry-Backoff',
  'Doubles with each retry (default 1 s)': 'Verdoppelt sich mit jedem Retry (Standard 1 s)',

  'Max. wait for a worker (default 5 min)': 'Max. Wartezeit auf einen Worker (Standard 5 min)',

  'Per attempt (default 10 min)': 'Je Versuch (Standard 10 min)',
  Expression: 'Ausdruck',
  'JSONata on the input; the result is the output': 'JSONata auf der Eingabe; das Ergebnis ist die Ausgabe',

  'JSONata on the input. Truthy results (not empty, not 0) take the branch true':
    'JSONata auf der Eingabe. Wahre Ergebnisse (nicht leer, nicht 0) nehmen den Zweig true',
  Code: 'Code',
  'JavaScript: body of an async function (input, ctx). The return value is the output':
    'JavaScript: Rumpf einer async-Funktion (input, ctx). Der Rückgabewert ist die Ausgabe',

  'Default 30 s': 'Standard 30 s',
  Template: 'Vorlage',
  'Text with {{ JSONata }}': 'Text mit {{ JSONata }}',
  Method: 'Methode',
  'Supports {{ JSONata }} and {{ secrets.NAME }}': 'Unterstützt {{ JSONata }} und {{ secrets.NAME }}',
  Headers: 'Header',
  'Values support {{ JSONata }}': 'Werte unterstützen {{ JSONata }}',
  'Added to the URL': 'Wird an die URL angehängt',
  'JSON, or a string in quotes; strings support {{ JSONata }}':
    'JSON oder ein String in Anführungszeichen; Strings unterstützen {{ JSONata }}',
  'Response timeout': 'Timeout der Antwort',
  Delay: 'Verzögerung',
  'Max. 1 hour. The worker slot stays occupied': 'Max. 1 Stunde. Der Worker-Slot bleibt belegt',
  List: 'Liste',
  'JSONata on the input that returns an array; each item is the input of one task':
    'JSONata auf der Eingabe, das ein Array liefert; jedes Element ist die Eingabe eines Tasks',
  'What to run for each item': 'Was je Element ausgeführt wird',
  'Max. concurrency': 'Max. Parallelität',
  'Default 10': 'Standard 10',
  'If an item fails': 'Wenn ein Element fehlschlägt',
  "Fail the replica, or continue with the error as the item's result":
    'Replikat fehlschlagen lassen, oder mit dem Fehler als Ergebnis des Elements weitermachen',
  'Not published yet: calls will fail.': 'Noch nicht veröffentlicht: Aufrufe schlagen fehl.',
  'Published to {environments}': 'Veröffentlicht in {environments}',
  'Workflow to call': 'Aufzurufender Workflow',
  'Environment of the called workflow': 'Umgebung des aufgerufenen Workflows',
  Handler: 'Handler',
  'Name of the function registered by workers': 'Name der Funktion, die Worker registriert haben',
  'Object keyed by predecessor': 'Objekt nach Vorgängern',
  'Value of the one that ran': 'Wert des ausgeführten',
  'Fail the replica': 'Das Replikat fehlschlagen lassen',
  'Collect errors and continue': 'Fehler sammeln und weitermachen',
};
