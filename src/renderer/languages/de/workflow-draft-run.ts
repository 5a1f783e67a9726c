import type { Catalogue } from '../../../lib/language.ts';

export const workflowDraftRun: Catalogue = {
  'The pinned output of {id} is not valid JSON.': 'Die vorgegebene Ausgabe von {id} ist kein gültiges JSON.',
  'The input is not valid JSON.': 'Die Eingabe ist kein gültiges JSON.',
  'Fix the errors in the text first.': 'Zuerst die Fehler im Text beheben.',
  'Run the draft': 'Entwurf ausführen',
  'Runs the current draft, saved or not, on the example input. Ctrl+Enter':
    'Führt den aktuellen Entwurf, gespeichert oder nicht, mit der Beispieleingabe aus. Strg+Eingabe',
  'Run draft': 'Entwurf ausführen',
  'View job': 'Job ansehen',
  'Example input': 'Beispieleingabe',
  'Input of job {job}': 'Eingabe von Job {job}',
  'Runs the current draft, saved or not, on the input of job {job}. Ctrl+Enter':
    'Führt den aktuellen Entwurf, gespeichert oder nicht, mit der Eingabe von Job {job} aus. Strg+Eingabe',
  'Draft runs and expression previews use it until you stop debugging. Changes are not stored; your own example input is kept.':
    'Entwurfsläufe und Vorschauen von Ausdrücken verwenden sie bis zum Ende der Fehlersuche. Änderungen werden nicht gespeichert; die eigene Beispieleingabe bleibt erhalten.',
  'Result for the input in job {job}': 'Ergebnis für die Eingabe in Job {job}',
  'Result for the changed input of job {job}': 'Ergebnis für die geänderte Eingabe von Job {job}',
  '(with the input in job {job})': '(mit der Eingabe in Job {job})',
  '(with the changed input of job {job})': '(mit der geänderten Eingabe von Job {job})',
  'Make real external calls': 'Echte externe Aufrufe',
  'Make real external calls and wait': 'Echte externe Aufrufe und Wartezeiten',
  'Wait for real': 'Wirklich warten',
  '{count} nodes wait: unless this is checked, the run goes on at once.':
    '{count} Knoten wartet: Ohne Haken läuft es sofort weiter.|{count} Knoten warten: Ohne Haken läuft es sofort weiter.',
  '{count} nodes call external services: unless this is checked, mocks run instead.':
    '{count} Knoten ruft externe Dienste auf: Ohne Haken läuft stattdessen ein Mock.|{count} Knoten rufen externe Dienste auf: Ohne Haken laufen stattdessen Mocks.',
  'Clear this run': 'Diesen Lauf verwerfen',
  'up to {id}': 'bis {id}',
  '{count} mocks': '{count} Mock|{count} Mocks',
  mock: 'Mock',
  'Run up to here': 'Bis hier ausführen',
  'Pin output': 'Ausgabe vorgeben',
  'This node calls external services. In drafts a mock with an empty response runs instead. Pin an output to set its response, or check “{label}”.':
    'Dieser Knoten ruft externe Dienste auf. In Entwürfen läuft stattdessen ein Mock mit leerer Antwort. Eine Ausgabe vorgeben oder „{label}“ ankreuzen.',
  'Draft runs do not wait: a time has passed, a signal has come without a payload, an approval is given. Pin an output to set another, or check “{label}”.':
    'Entwurfsläufe warten nicht: Eine Zeit ist um, ein Signal kam ohne Inhalt, eine Freigabe ist erteilt. Eine andere Ausgabe vorgeben oder „{label}“ ankreuzen.',
  'Pinned output': 'Vorgegebene Ausgabe',
  'Pinned output of {id}': 'Vorgegebene Ausgabe von {id}',
  'Cancels this run': 'Bricht diesen Lauf ab',
  'Change the input, or the schema in the settings of the input node.':
    'Die Eingabe ändern oder das Schema in den Einstellungen des Eingabeknotens.',
  'Draft runs return this instead of running the node. Kept until you leave this page.':
    'Entwurfsläufe geben dies zurück, statt den Knoten auszuführen. Bleibt bis zum Verlassen dieser Seite.',
  'Not reached yet.': 'Noch nicht erreicht.',
  'The last run did not reach this node.': 'Der letzte Lauf hat diesen Knoten nicht erreicht.',
  "Run the draft to see the node's input and output.":
    'Den Entwurf ausführen, um Eingabe und Ausgabe des Knotens zu sehen.',
  'branch: {port}': 'Zweig: {port}',
  mocked: 'Mock',
  '{done} of {count} items': '{done} von {count} Element|{done} von {count} Elementen',
  'Show full value': 'Ganzen Wert zeigen',
  'One input object. Draft runs and expression previews use it; it stays {here}.':
    'Ein Eingabeobjekt. Entwurfsläufe und Vorschauen von Ausdrücken verwenden es; es bleibt {here}.',
  'Not stored': 'Nicht gespeichert',
  'The storage {here} is full or disabled: the example is lost when you leave this page.':
    'Der Speicher {here} ist voll oder deaktiviert: Das Beispiel geht beim Verlassen der Seite verloren.',
  'Generate from schema': 'Aus dem Schema erzeugen',
  'Runs only this node and the nodes it depends on': 'Führt nur diesen Knoten und die Knoten davor aus',
};
