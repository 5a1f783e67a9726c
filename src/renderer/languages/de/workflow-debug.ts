import type { Catalogue } from '../../../lib/language.ts';

export const workflowDebug: Catalogue = {
  Debug: 'Debuggen',
  'Debug in builder': 'Im Builder debuggen',
  'Opens the version that failed, with the input and the results of this run':
    'Öffnet die fehlgeschlagene Version mit Eingabe und Ergebnissen dieses Laufs',
  'Stop debugging': 'Debuggen beenden',
  '{link} failed at {node}': '{link} ist bei {node} fehlgeschlagen',
  'With the input and the results of this run, on version {hash}':
    'Mit Eingabe und Ergebnissen dieses Laufs, auf Version {hash}',
  Steps: 'Schritte',
  'Done##step': 'Erledigt',
  'Run from {node}': 'Ab {node} ausführen',
  'Run from here': 'Ab hier ausführen',
  'Runs this node and everything after it; the nodes before it return what they returned in the run shown':
    'Führt diesen Knoten und alles danach aus; die Knoten davor liefern, was sie im gezeigten Lauf geliefert haben',
  'Saved.': 'Gespeichert.',
  'Change something first.': 'Zuerst etwas ändern.',
  'Save a version first.': 'Zuerst eine Version speichern.',
  'Publish the changed version to {environment} first.':
    'Zuerst die geänderte Version in {environment} veröffentlichen.',
  'A run is in progress.': 'Ein Lauf ist im Gange.',
  'The output of {node} is too large to be reused: run the whole draft instead.':
    'Die Ausgabe von {node} ist zu groß, um wiederverwendet zu werden: stattdessen den ganzen Entwurf ausführen.',
  'Called here: {message}': 'Hier aufgerufen: {message}',
};
