import type { Catalogue } from '../../../lib/language.ts';

/** Test cases of a workflow. */
export const workflowTests: Catalogue = {
  '"expect" has exactly one of "output", "schema", "expression" and "failure". "outputs" holds stand-ins by node ID for nodes that call or wait for something outside.':
    '„expect“ hat genau eines von „output“, „schema“, „expression“ und „failure“. „outputs“ enthält nach Knoten-ID Ersatzausgaben für Knoten, die außen etwas aufrufen oder darauf warten.',
  '{count} test cases failed on {hash}':
    '{count} Testfall ist auf {hash} fehlgeschlagen|{count} Testfälle sind auf {hash} fehlgeschlagen',
  '{count} test cases passed on {hash}': '{count} Testfall auf {hash} bestanden|{count} Testfälle auf {hash} bestanden',
  '{environment} requires tests that pass. The audit log records you and the cases that failed.':
    '{environment} verlangt bestandene Tests. Das Audit-Log hält fest, wer veröffentlicht hat und welche Fälle fehlschlugen.',
  'An administrator of all projects can publish anyway.':
    'Wer alle Projekte administriert, kann trotzdem veröffentlichen.',
  'Cases run without a worker and without a job. No external calls are made.':
    'Testfälle laufen ohne Worker und ohne Job. Nach außen wird nichts aufgerufen.',
  'Could not load the test cases': 'Die Testfälle konnten nicht geladen werden',
  'Edit test case': 'Testfall bearbeiten',
  Expected: 'Erwartet',
  'Expected an object with "input" and "expect".': 'Erwartet wird ein Objekt mit „input“ und „expect“.',
  'It is deleted for everybody. Publishing no longer depends on it.':
    'Er wird für alle gelöscht. Das Veröffentlichen hängt nicht mehr von ihm ab.',
  'New test case': 'Neuer Testfall',
  'No test cases yet': 'Noch keine Testfälle',
  'Nodes that no case reached: {nodes}': 'Knoten, die kein Testfall erreicht hat: {nodes}',
  'Open a finished job of this workflow and select “Save as test case”, or write a case here.':
    'Einen beendeten Job dieses Workflows öffnen und „Als Testfall speichern“ wählen, oder hier einen Fall schreiben.',
  Passed: 'Bestanden',
  'Publish anyway': 'Trotzdem veröffentlichen',
  'Publish {hash} although tests fail?': '{hash} trotz fehlgeschlagener Tests veröffentlichen?',
  'Remove 1 test case': '1 Testfall entfernen',
  'Remove test case “{name}”?': 'Testfall „{name}“ entfernen?',
  'Rename test case': 'Testfall umbenennen',
  'Run all cases on the newest version': 'Alle Testfälle auf der neuesten Version ausführen',
  'Run tests': 'Tests ausführen',
  'Save as test case': 'Als Testfall speichern',
  'Show tests': 'Tests anzeigen',
  'Test case as JSON': 'Testfall als JSON',
  'Test case removed': 'Testfall entfernt',
  'Test case saved': 'Testfall gespeichert',
  'Test cases of {id}': 'Testfälle von {id}',
  'Test the workflow with the data of this job': 'Den Workflow mit den Daten dieses Jobs testen',
  Tests: 'Tests',
  'The case has the input of this job, what came from outside as stand-ins, and its output or failure as the expectation. Values of secrets are removed.':
    'Der Testfall enthält die Eingabe dieses Jobs, Ersatzausgaben für das, was von außen kam, und die Ausgabe oder den Fehler als Erwartung. Werte von Geheimnissen werden entfernt.',
  'The job has not finished yet.': 'Der Job ist noch nicht beendet.',
  'Workflow test cases': 'Testfälle des Workflows',
  '{count} test cases fail. {environment} requires them to pass.':
    '{count} Testfall schlägt fehl. {environment} verlangt, dass er besteht.|{count} Testfälle schlagen fehl. {environment} verlangt, dass sie bestehen.',
  'Failed test cases': 'Fehlgeschlagene Testfälle',
  tested: 'getestet',
  'not tested': 'nicht getestet',
  '{some} of {all} nodes': '{some} von {all} Knoten',
  '{some} of {all} edges': '{some} von {all} Kanten',
  'Tests are running…': 'Tests laufen…',
  'Coverage on the canvas': 'Abdeckung im Canvas',
  'Tests of {hash}: {passed} of {all} passed': 'Tests von {hash}: {passed} von {all} bestanden',
  'Failed: {names}': 'Fehlgeschlagen: {names}',
  'Edges that no case took: {edges}': 'Kanten, die kein Testfall nahm: {edges}',
  'Show on the canvas': 'Im Canvas zeigen',
};
