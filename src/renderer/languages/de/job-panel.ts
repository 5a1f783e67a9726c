import type { Catalogue } from '../../../lib/language.ts';

export const jobPanel: Catalogue = {
  Stack: 'Stack',
  'line {line}, column {column}': 'Zeile {line}, Spalte {column}',
  'line {line}, column {column}, in {name}': 'Zeile {line}, Spalte {column}, in {name}',
  Attempts: 'Versuche',
  'No other job failed with this error': 'Kein anderer Job ist mit diesem Fehler fehlgeschlagen',
  '{count} other jobs failed with this error':
    '{count} anderer Job ist mit diesem Fehler fehlgeschlagen|{count} andere Jobs sind mit diesem Fehler fehlgeschlagen',
  '{attempt} of {most} (max.)': '{attempt} von {most} (max.)',
  '{replica}, item {item}': '{replica}, Element {item}',
  'Attempt {attempt}': 'Versuch {attempt}',
  'Child jobs': 'Kindjobs',
  'Calls {link} of {workflowId} {statusBadge}': 'Ruft {link} von {workflowId} auf {statusBadge}',
  'job …{value}': 'Job …{value}',
  'The workflow graph has a validation error. Save and publish a version without it, then rerun the job.':
    'Der Graph des Workflows hat einen Validierungsfehler. Eine Version ohne ihn speichern und veröffentlichen, dann den Job erneut ausführen.',
  'The called service rejected the credentials. Fix them, then retry.':
    'Der aufgerufene Dienst hat die Zugangsdaten abgelehnt. Diese korrigieren, dann wiederholen.',
  'The job was killed by a user. Its tasks can be retried.':
    'Der Job wurde von einem Benutzer gestoppt. Seine Tasks lassen sich wiederholen.',
  'The time limit of the replica was exceeded.': 'Das Zeitlimit des Replikats wurde überschritten.',
  "The node reported an error that a retry won't fix: fix the cause first.":
    'Der Knoten meldete einen Fehler, den ein Retry nicht behebt: zuerst die Ursache beheben.',
  'The scope of a secret does not allow this run. An admin can change it under Settings, Secrets.':
    'Der Geltungsbereich eines Geheimnisses erlaubt diesen Lauf nicht. Ein Admin kann ihn unter Einstellungen, Geheimnisse ändern.',
  'The node threw an exception.': 'Der Knoten warf eine Exception.',
  'The worker running the task stopped responding.': 'Der Worker, der den Task ausführte, antwortet nicht mehr.',
  'A called service did not respond or was overloaded.':
    'Ein aufgerufener Dienst antwortete nicht oder war überlastet.',
  'The task exceeded its run timeout.': 'Der Task überschritt sein Laufzeitlimit.',
  'No worker took the task in time. Check that workers are online and have free slots.':
    'Kein Worker nahm den Task rechtzeitig an. Prüfen, ob Worker online sind und freie Slots haben.',
  'The node reported its own error code.': 'Der Knoten meldete einen eigenen Fehlercode.',
  retryable: 'Retry möglich',
  'not retried automatically': 'kein automatischer Retry',
  'retrying now': 'Retry läuft jetzt',
  'retry in {seconds} s': 'Retry in {seconds} s',
  'no retries configured': 'keine Retries konfiguriert',
  'retries exhausted ({count})': 'Retries aufgebraucht (1)|Retries aufgebraucht ({count})',
  'Copy raw error': 'Rohfehler kopieren',
  'Task queued again': 'Task neu eingereiht',
  "On the job's version": 'Auf der Version des Jobs',
  'As a new job, on this or another version': 'Als neuer Job, auf dieser oder einer anderen Version',
  'Retries are reset.': 'Die Retries beginnen von vorn.',
  'Could not retry the task': 'Der Task konnte nicht wiederholt werden',
  'The task has not failed or timed out.': 'Der Task ist weder fehlgeschlagen noch in ein Timeout gelaufen.',
  'Retry task': 'Task wiederholen',
  'Rerun from here…': 'Ab hier erneut ausführen…',
  'Close task': 'Task schließen',
  'Could not load the task': 'Der Task konnte nicht geladen werden',
  'This task belongs to another job': 'Dieser Task gehört zu einem anderen Job',
  'The link points to a task of a different job.': 'Der Link zeigt auf einen Task eines anderen Jobs.',

  'Queue time': 'Wartezeit',
  Finished: 'Beendet',
  Branch: 'Zweig',

  'The task has not completed yet.': 'Der Task ist noch nicht abgeschlossen.',
  'Only completed tasks have an output.': 'Nur abgeschlossene Tasks haben eine Ausgabe.',
  'Could not load the {side}': '{side} konnte nicht geladen werden',
  'Log lines of task {id}': 'Logzeilen des Tasks {id}',
  'Log lines appear here within a second.': 'Logzeilen erscheinen hier binnen einer Sekunde.',
  'The task has written no log lines.': 'Der Task hat keine Logzeilen geschrieben.',
  'No worker yet': 'Noch kein Worker',
  'A worker takes the task as soon as it has a free slot.':
    'Ein Worker nimmt den Task an, sobald er einen freien Slot hat.',
  'Last heartbeat': 'Letzter Heartbeat',
  'Open worker page': 'Seite des Workers öffnen',
};
