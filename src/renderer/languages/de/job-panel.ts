import type { Catalogue } from '../../../lib/language.ts';

export const jobPanel: Catalogue = {
  Attempts: 'Versuche',
  'No other job failed like this': 'Kein anderer Job ist so fehlgeschlagen',
  '{count} other jobs failed like this':
    '{count} anderer Job ist so fehlgeschlagen|{count} andere Jobs sind so fehlgeschlagen',
  '{attempt} of {most} at most': '{attempt} von höchstens {most}',
  '{replica}, item {item}': '{replica}, Element {item}',
  'Attempt {attempt}': 'Versuch {attempt}',
  'Child jobs': 'Kindjobs',
  'Calls {link} of {workflowId} {statusBadge}': 'Ruft {link} von {workflowId} auf {statusBadge}',
  'job …{value}': 'Job …{value}',
  'The workflow has a fault in its graph. Save and publish a version without it, then run the job again.':
    'Der Graph des Workflows hat einen Fehler. Eine Version ohne ihn speichern und veröffentlichen, dann den Job erneut ausführen.',
  'The service that was called refused the credentials. Mend them, then retry.':
    'Der aufgerufene Dienst wies die Zugangsdaten zurück. Diese berichtigen, dann wiederholen.',
  'Someone killed the job. Its tasks can be retried.':
    'Jemand hat den Job gestoppt. Seine Tasks können wiederholt werden.',
  'The time that was given to the whole replica ran out.': 'Die Zeit für das ganze Replikat ist abgelaufen.',
  'The node says that trying again would not help: the cause has to be mended first.':
    'Der Knoten sagt, dass ein neuer Versuch nicht hilft: Zuerst muss die Ursache behoben werden.',
  'The node threw an error.': 'Der Knoten warf einen Fehler.',
  'The worker that ran the task stopped answering.': 'Der Worker, der den Task ausführte, antwortet nicht mehr.',
  'A service that was called did not answer, or was overloaded.':
    'Ein aufgerufener Dienst antwortete nicht oder war überlastet.',
  'The task ran longer than its run time limit.': 'Der Task lief länger als seine Laufzeitgrenze.',
  'No worker took the task in time. Are workers up, and do they have room?':
    'Kein Worker nahm den Task rechtzeitig. Sind Worker in Betrieb, und haben sie freie Slots?',
  'The node reported an error with a code of its own.': 'Der Knoten meldete einen Fehler mit eigenem Code.',
  'may be retried': 'wiederholbar',
  'is not retried by itself': 'wird nicht von selbst wiederholt',
  'retrying now': 'wird jetzt wiederholt',
  'retrying in {seconds} s': 'Wiederholung in {seconds} s',
  'it has no retries': 'er hat keine Wiederholungen',
  'its {count} retries are used up':
    'seine eine Wiederholung ist verbraucht|seine {count} Wiederholungen sind verbraucht',
  'Copy the raw error': 'Rohen Fehler kopieren',
  'The task is queued again': 'Der Task ist neu eingereiht',
  'On the version of its job': 'Auf der Version seines Jobs',
  'As a new job, on this or another version': 'Als neuer Job, auf dieser oder einer anderen Version',
  'With a fresh allowance of retries.': 'Mit frischem Vorrat an Wiederholungen.',
  'The task could not be retried': 'Der Task konnte nicht wiederholt werden',
  'It did not fail or time out.': 'Er ist weder fehlgeschlagen noch zeitüberschritten.',
  'Retry this task': 'Diesen Task wiederholen',
  'Rerun from here…': 'Ab hier erneut ausführen…',
  'Close the task': 'Task schließen',
  'The task could not be read': 'Der Task konnte nicht gelesen werden',
  'This task is of another job': 'Dieser Task gehört zu einem anderen Job',
  'The link names a task that does not belong to this job.':
    'Der Link nennt einen Task, der nicht zu diesem Job gehört.',
  Type: 'Typ',
  Waited: 'Wartete',
  Finished: 'Beendet',
  'Took port': 'Nahm Ausgang',
  Transitions: 'Übergänge',
  'The task has not completed yet.': 'Der Task ist noch nicht abgeschlossen.',
  'Only a task that completes has one.': 'Nur ein abgeschlossener Task hat eine.',
  'The {side} could not be read': '{side}: konnte nicht gelesen werden',
  'Log lines of task {id}': 'Logzeilen des Tasks {id}',
  'Lines that it writes show here within a second.': 'Zeilen, die er schreibt, erscheinen hier binnen einer Sekunde.',
  'The task has written no line.': 'Der Task hat keine Zeile geschrieben.',
  'No worker yet': 'Noch kein Worker',
  'A worker takes the task when it has room.': 'Ein Worker nimmt den Task, sobald er einen freien Slot hat.',
  'Last heartbeat': 'Letzter Heartbeat',
  'Its page': 'Seine Seite',
};
