import type { Catalogue } from '../../../lib/language.ts';

export const workflowText: Catalogue = {
  'Text template': 'Textvorlage',
  'Entry point': 'Einstiegspunkt',
  'JSONata expression': 'JSONata-Ausdruck',
  'If/else': 'Wenn/sonst',
  JavaScript: 'JavaScript',
  'HTTP request': 'HTTP-Anfrage',
  'Time, signal or approval': 'Zeit, Signal oder Freigabe',
  'One task per array item': 'Ein Task je Element',
  'Call of another workflow': 'Aufruf eines anderen Workflows',
  'Function of your workers': 'Eigene Funktion der Worker',
  'Port {port} leads nowhere: an input that takes it is not processed further.':
    'Der Ausgang {port} führt nirgendwohin: Eine Eingabe, die ihn nimmt, wird nicht weiterverarbeitet.',
  'The result of {node} is not used: no edge leads from it.':
    'Das Ergebnis von {node} wird nicht verwendet: Von ihm führt keine Kante weg.',
  'The input schema has no field “{field}”.': 'Das Eingabeschema hat kein Feld „{field}“.',
  'The input schema has no field “{field}”. Did you mean “{suggestion}”?':
    'Das Eingabeschema hat kein Feld „{field}“. Ist „{suggestion}“ gemeint?',
  'Calls {workflow}, which does not exist or is archived: the task will fail.':
    'Ruft {workflow} auf, das nicht existiert oder archiviert ist: Der Task schlägt fehl.',
  'Calls {workflow} in {environment}, where it is not published: the task will fail.':
    'Ruft {workflow} in {environment} auf, wo es nicht veröffentlicht ist: Der Task schlägt fehl.',
  ' or ': ' oder ',
  'Duplicate key “{key}”; only the last one is used.': 'Doppelter Schlüssel „{key}“; nur der letzte gilt.',
  'Expected {value}.': 'Erwartet wird {value}.',
  'Expected {value}, found {value2}.': 'Erwartet wird {value}, gefunden wurde {value2}.',
  'Expected at most {maxItems} items, found {count}.':
    'Erwartet werden höchstens {maxItems} Elemente, gefunden wurden {count}.',
  '{names} are missing.': '{names} fehlt.|{names} fehlen.',
  'Unknown key “{key}”; no keys are expected here.': 'Unbekannter Schlüssel „{key}“; hier werden keine erwartet.',
  'Unknown key “{key}”; expected {names}.': 'Unbekannter Schlüssel „{key}“; erwartet wird {names}.',
  'Use letters, digits, underscore, dot, colon and hyphen; start with a letter, digit or underscore.':
    'Buchstaben, Ziffern, Unterstrich, Punkt, Doppelpunkt und Bindestrich; am Anfang ein Buchstabe, eine Ziffer oder ein Unterstrich.',
  'Must not be empty.': 'Darf nicht leer sein.',
  'Expected at least {minLength} characters, found {count}.':
    'Erwartet werden mindestens {minLength} Zeichen, gefunden wurden {count}.',
  'Expected at most {maxLength} characters, found {count}.':
    'Erwartet werden höchstens {maxLength} Zeichen, gefunden wurden {count}.',
  'Expected a string matching {pattern}': 'Erwartet wird ein String der Form {pattern}',
  'Expected an integer.': 'Erwartet wird eine ganze Zahl.',
  'Expected {minimum} to {maximum}, found {value}.': 'Erwartet wird {minimum} bis {maximum}, gefunden wurde {value}.',
  'Expected more than {exclusiveMinimum}, found {value}.':
    'Erwartet wird mehr als {exclusiveMinimum}, gefunden wurde {value}.',
  'an object': 'ein Objekt',
  'an array': 'ein Array',
  'a string': 'ein String',
  'a number': 'eine Zahl',
  'an integer': 'eine ganze Zahl',
  'true or false': 'true oder false',
  'new definition': 'neue Definition',
  'An input, a transform and an output': 'Eine Eingabe, eine Umformung und eine Ausgabe',
  edge: 'Kante',
  'Passes the output of one node to another': 'Gibt die Ausgabe eines Knotens an einen anderen',
  'on {count} workers': 'auf {count} Worker|auf {count} Workern',
  'Taken if the condition is {port}': 'Wird genommen, wenn die Bedingung {port} ist',
  'one of several': 'eines von mehreren',
  'any value': 'ein beliebiger Wert',
  'Entry point of each input object. One per workflow.': 'Eingang für jedes Eingabeobjekt. Einer je Workflow.',
  'Transforms its input with a JSONata expression.': 'Formt seine Eingabe mit einem JSONata-Ausdruck um.',
  'If/else: routes the input to "true" or "false".': 'If/else: leitet die Eingabe zu „true“ oder „false“.',
  'Runs JavaScript in a sandbox: the body of an async function (input, ctx).':
    'Führt JavaScript in einer Sandbox aus: den Rumpf einer async-Funktion (input, ctx).',
  'Renders a text template with {{ JSONata }}.': 'Füllt eine Textvorlage mit {{ JSONata }}.',
  'Sends an HTTP request and returns status, headers and body.':
    'Sendet einen HTTP-Request und liefert Status, Header und Body.',
  'Waits, then passes its input on.': 'Wartet, gibt dann seine Eingabe weiter.',
  'Runs one task per array item and returns the outputs in order.':
    'Führt je Array-Element einen Task aus und liefert die Ausgaben der Reihe nach.',
  'Calls a published workflow and returns its output.':
    'Ruft einen veröffentlichten Workflow auf und liefert dessen Ausgabe.',
  'Runs a function that workers registered under this name.':
    'Führt eine Funktion aus, die Worker unter diesem Namen registriert haben.',
  'Returns its input as the response.': 'Liefert seine Eingabe als Antwort.',
  'Unterminated string: a quote is missing.': 'String nicht geschlossen: Ein Anführungszeichen fehlt.',
  'Write a tab in a string as \\t.': 'Ein Tabulator in einem String wird als \\t geschrieben.',
  'Control characters in a string must be escaped.': 'Steuerzeichen in einem String müssen maskiert werden.',
  'Invalid escape sequence; write a backslash as \\\\.':
    'Ungültige Escape-Sequenz; ein Backslash wird als \\\\ geschrieben.',
  'Not a valid JSON number.': 'Keine gültige JSON-Zahl.',
  '“{word}” is not a valid JSON value; strings need quotes.':
    '„{word}“ ist kein gültiger JSON-Wert; Strings brauchen Anführungszeichen.',
  'Not a valid JSON value.': 'Kein gültiger JSON-Wert.',
  'Nested more than {MAX_DEPTH} levels deep.': 'Mehr als {MAX_DEPTH} Ebenen tief verschachtelt.',
  'Trailing comma before this brace; remove it or add a property.':
    'Überzähliges Komma vor dieser Klammer; entfernen oder eine Eigenschaft hinzufügen.',
  'The object that starts here is not closed.': 'Das Objekt, das hier beginnt, ist nicht geschlossen.',
  'Expected a property before this comma.': 'Vor diesem Komma wird eine Eigenschaft erwartet.',
  'Missing comma.': 'Komma fehlt.',
  'Expected a property name in quotes.': 'Erwartet wird ein Eigenschaftsname in Anführungszeichen.',
  'Missing colon and value after this name.': 'Doppelpunkt und Wert nach diesem Namen fehlen.',
  'This property has no value.': 'Diese Eigenschaft hat keinen Wert.',
  'Trailing comma before this bracket; remove it or add a value.':
    'Überzähliges Komma vor dieser Klammer; entfernen oder einen Wert hinzufügen.',
  'The array that starts here is not closed.': 'Das Array, das hier beginnt, ist nicht geschlossen.',
  'Expected a value before this comma.': 'Vor diesem Komma wird ein Wert erwartet.',
  'Expected a value.': 'Erwartet wird ein Wert.',
  'The document is empty.': 'Das Dokument ist leer.',
  'Unexpected text after the end of the document.': 'Unerwarteter Text nach dem Ende des Dokuments.',
  'Value type': 'Werttyp',
  'Properties by name, each with its own schema': 'Eigenschaften nach Namen, jede mit eigenem Schema',
  'Names of required properties': 'Namen der erforderlichen Eigenschaften',
  'Whether other properties are allowed': 'Ob weitere Eigenschaften erlaubt sind',
  'Schema of the array items': 'Schema der Array-Elemente',

  'Example values': 'Beispielwerte',
  'Default value for examples': 'Standardwert für Beispiele',
  'String format': 'Format des Strings',
  'Regular expression that the string must match': 'Regulärer Ausdruck für den String',
  'Minimum length': 'Mindestlänge',
  'Maximum length': 'Höchstlänge',
  'Minimum value': 'Kleinster Wert',
  'Maximum value': 'Größter Wert',
  'Min. items': 'Min. Elemente',
  'Max. items': 'Max. Elemente',
};
