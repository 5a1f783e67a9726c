import type { Catalogue } from '../../../lib/language.ts';

export const workflowText: Catalogue = {
  'It calls {workflow}, which is not there yet, or is archived: that fails until it is there.':
    'Ruft {workflow} auf, das es noch nicht gibt oder das archiviert ist: Das schlägt fehl, bis es da ist.',
  'It calls {workflow} in {environment}, where it is not published yet: that fails until it is.':
    'Ruft {workflow} in {environment} auf, wo es noch nicht veröffentlicht ist: Das schlägt fehl, bis es das ist.',
  ' or ': ' oder ',
  '“{key}” stands here twice; only the last one counts.': '„{key}“ steht hier zweimal; nur das letzte zählt.',
  'Expected {value}.': 'Erwartet wird {value}.',
  'Expected {value}, found {value2}.': 'Erwartet wird {value}, gefunden wurde {value2}.',
  'At most {maxItems} entries are allowed, found {count}.':
    'Höchstens {maxItems} Einträge sind erlaubt, gefunden wurden {count}.',
  '{names} are missing.': '{names} fehlt.|{names} fehlen.',
  '“{key}” is not known here; nothing is expected.': '„{key}“ ist hier nicht bekannt; nichts wird erwartet.',
  '“{key}” is not known here; expected {names}.': '„{key}“ ist hier nicht bekannt; erwartet wird {names}.',
  'Letters, digits, underscore, dot, colon and hyphen are allowed, the first one a letter, digit or underscore.':
    'Buchstaben, Ziffern, Unterstrich, Punkt, Doppelpunkt und Bindestrich sind erlaubt, zuerst ein Buchstabe, eine Ziffer oder ein Unterstrich.',
  'This may not be empty.': 'Das darf nicht leer sein.',
  'At least {minLength} characters are needed, found {count}.':
    'Mindestens {minLength} Zeichen sind nötig, gefunden wurden {count}.',
  'At most {maxLength} characters are allowed, found {count}.':
    'Höchstens {maxLength} Zeichen sind erlaubt, gefunden wurden {count}.',
  'Expected a text of the form {pattern}': 'Erwartet wird ein Text der Form {pattern}',
  'Expected a whole number.': 'Erwartet wird eine ganze Zahl.',
  'Expected {minimum} to {maximum}, found {value}.': 'Erwartet wird {minimum} bis {maximum}, gefunden wurde {value}.',
  'Expected more than {exclusiveMinimum}, found {value}.':
    'Erwartet wird mehr als {exclusiveMinimum}, gefunden wurde {value}.',
  'an object': 'ein Objekt',
  'a list': 'eine Liste',
  'a text': 'ein Text',
  'a number': 'eine Zahl',
  'a whole number': 'eine ganze Zahl',
  'true or false': 'true oder false',
  'new definition': 'neue Definition',
  'An input, a transform and an output': 'Eine Eingabe, eine Umformung und eine Ausgabe',
  edge: 'Kante',
  'Hands the output of one node to another': 'Gibt die Ausgabe eines Knotens an einen anderen',
  'on {count} workers': 'auf {count} Worker|auf {count} Workern',
  'Taken when the condition is {port}': 'Wird genommen, wenn die Bedingung {port} ist',
  'one of several': 'eines von mehreren',
  'any value': 'ein beliebiger Wert',
  'Where each input object enters. One in a workflow.': 'Wo jedes Eingabeobjekt eintritt. Einer je Workflow.',
  'Shapes its input with a JSONata expression.': 'Formt seine Eingabe mit einem JSONata-Ausdruck um.',
  'Hands its input on over port true or false.': 'Gibt seine Eingabe über Ausgang true oder false weiter.',
  'Runs JavaScript in a sandbox: the body of an async function (input, ctx).':
    'Führt JavaScript in einer Sandbox aus: den Rumpf einer async-Funktion (input, ctx).',
  'Makes a text from a template with {{ JSONata }}.': 'Macht einen Text aus einer Vorlage mit {{ JSONata }}.',
  'Calls a web service and hands on status, headers and body.':
    'Ruft einen Webdienst auf und gibt Status, Header und Inhalt weiter.',
  'Waits, then hands its input on.': 'Wartet, dann gibt er seine Eingabe weiter.',
  'Makes one task for each item of a list; hands on the outputs in order.':
    'Macht je Element einer Liste einen Task; gibt die Ausgaben der Reihe nach weiter.',
  'Calls a published workflow and hands on its output.':
    'Ruft einen veröffentlichten Workflow auf und gibt dessen Ausgabe weiter.',
  'Runs a function that workers have registered under this name.':
    'Führt eine Funktion aus, die Worker unter diesem Namen registriert haben.',
  'The end: its input is the answer.': 'Das Ende: Seine Eingabe ist die Antwort.',
  'This text is not closed: a quote is missing.': 'Dieser Text ist nicht geschlossen: Ein Anführungszeichen fehlt.',
  'A tab in a text is written \\t.': 'Ein Tabulator in einem Text wird \\t geschrieben.',
  'A control character in a text has to be escaped.': 'Ein Steuerzeichen in einem Text muss maskiert werden.',
  'This is no escape of JSON; a backslash is written \\\\.':
    'Das ist keine Maskierung in JSON; ein Backslash wird \\\\ geschrieben.',
  'This is no number of JSON.': 'Das ist keine Zahl in JSON.',
  '“{word}” is no value of JSON; a text needs quotes.':
    '„{word}“ ist kein Wert in JSON; ein Text braucht Anführungszeichen.',
  'This is no value of JSON.': 'Das ist kein Wert in JSON.',
  'Nested more than {MAX_DEPTH} levels deep.': 'Mehr als {MAX_DEPTH} Ebenen tief verschachtelt.',
  'A comma stands before this brace; remove it or add a property.':
    'Vor dieser Klammer steht ein Komma; entfernen oder eine Eigenschaft hinzufügen.',
  'The object that starts here is not closed.': 'Das Objekt, das hier beginnt, ist nicht geschlossen.',
  'Expected a property before this comma.': 'Vor diesem Komma wird eine Eigenschaft erwartet.',
  'A comma is missing here.': 'Hier fehlt ein Komma.',
  'Expected a property name in quotes.': 'Erwartet wird ein Eigenschaftsname in Anführungszeichen.',
  'A colon and a value are missing after this name.': 'Nach diesem Namen fehlen ein Doppelpunkt und ein Wert.',
  'This property has no value.': 'Diese Eigenschaft hat keinen Wert.',
  'A comma stands before this bracket; remove it or add a value.':
    'Vor dieser Klammer steht ein Komma; entfernen oder einen Wert hinzufügen.',
  'The list that starts here is not closed.': 'Die Liste, die hier beginnt, ist nicht geschlossen.',
  'Expected a value before this comma.': 'Vor diesem Komma wird ein Wert erwartet.',
  'Expected a value.': 'Erwartet wird ein Wert.',
  'The document is empty.': 'Das Dokument ist leer.',
  'Nothing may stand after the end of the document.': 'Nach dem Ende des Dokuments darf nichts stehen.',
  'Kind of value': 'Art des Werts',
  'The properties by name, each with its own schema': 'Die Eigenschaften nach Namen, jede mit eigenem Schema',
  'Names of the properties that have to be there': 'Namen der Eigenschaften, die da sein müssen',
  'Whether others are allowed': 'Ob andere erlaubt sind',
  'Schema of each element': 'Schema jedes Elements',
  'The allowed values': 'Die erlaubten Werte',
  'Values for a first try': 'Werte für einen ersten Versuch',
  'Value for a first try': 'Wert für einen ersten Versuch',
  'Form of a text': 'Form eines Texts',
  'Regular expression that the text has to match': 'Regulärer Ausdruck, dem der Text genügen muss',
  'Shortest text': 'Kürzester Text',
  'Longest text': 'Längster Text',
  'Smallest number': 'Kleinste Zahl',
  'Largest number': 'Größte Zahl',
  'Fewest elements': 'Wenigste Elemente',
  'Most elements': 'Meiste Elemente',
};
