import type { Catalogue } from '../../../lib/language.ts';

export const workflowDraftRun: Catalogue = {
  'The output that is given for {id} is no JSON.': 'Die vorgegebene Ausgabe für {id} ist kein JSON.',
  'The example input is no JSON.': 'Die Beispieleingabe ist kein JSON.',
  'Mend the text first: it is no definition yet.': 'Zuerst den Text berichtigen: Er ist noch keine Definition.',
  'Run the draft': 'Entwurf ausführen',
  'Runs what is open, saved or not, on the example input. Ctrl+Enter':
    'Führt aus, was offen ist, gespeichert oder nicht, mit der Beispieleingabe. Strg+Eingabe',
  'Run draft': 'Entwurf ausführen',
  'Example input': 'Beispieleingabe',
  'Call out for real': 'Wirklich nach außen rufen',
  '{count} nodes reach outside: unless this is ticked stand-ins run in their place.':
    '{count} Knoten reicht nach außen: Ohne diesen Haken läuft ein Stellvertreter.|{count} Knoten reichen nach außen: Ohne diesen Haken laufen Stellvertreter.',
  'Forget this run': 'Diesen Lauf vergessen',
  'up to {id}': 'bis {id}',
  '{count} stand-ins': '{count} Stellvertreter|{count} Stellvertreter',
  'stand-in': 'Stellvertreter',
  'Run up to here': 'Bis hier ausführen',
  'Pin an output': 'Ausgabe vorgeben',
  'It reaches outside: drafts put a stand-in in its place that gives an empty answer. Pin an output to say what it gives, or tick “Call out for real”.':
    'Er reicht nach außen: In Entwürfen steht an seiner Stelle ein Stellvertreter mit leerer Antwort. Eine Ausgabe vorgeben oder „Wirklich nach außen rufen“ ankreuzen.',
  'Pinned output': 'Vorgegebene Ausgabe',
  'Pinned output of {id}': 'Vorgegebene Ausgabe von {id}',
  'Ends this run': 'Beendet diesen Lauf',
  'Change the example input, or the schema in the settings of the input node.':
    'Die Beispieleingabe ändern oder das Schema in den Einstellungen des Eingabeknotens.',
  'Draft runs give this instead of running the node. It is kept until this page is left.':
    'Entwurfsläufe geben dies zurück, statt den Knoten auszuführen. Es bleibt, bis diese Seite verlassen wird.',
  'Not reached yet.': 'Noch nicht erreicht.',
  'The last run did not reach it.': 'Der letzte Lauf hat ihn nicht erreicht.',
  'Run the draft to see what it is given and what it gives.':
    'Den Entwurf ausführen, um zu sehen, was er bekommt und was er gibt.',
  'takes port {port}': 'nimmt Ausgang {port}',
  'by a stand-in': 'durch einen Stellvertreter',
  '{done} of {total} items': '{done} von {total} Elementen',
  'Show all of it': 'Alles zeigen',
  'One input object. Drafts and previews of expressions use it; it stays {here}.':
    'Ein Eingabeobjekt. Entwürfe und Vorschauen von Ausdrücken verwenden es; es bleibt {here}.',
  'Not kept': 'Nicht behalten',
  'The storage {here} is full or off: the example is lost with the page.':
    'Der Speicher {here} ist voll oder aus: Das Beispiel geht mit der Seite verloren.',
  'Fill from the schema': 'Aus dem Schema füllen',
  'Runs this node and what it depends on, and nothing else':
    'Führt diesen Knoten aus und wovon er abhängt, sonst nichts',
};
