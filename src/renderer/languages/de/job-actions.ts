import type { Catalogue } from '../../../lib/language.ts';

export const jobActions: Catalogue = {
  Kill: 'Stoppen',
  Retry: 'Wiederholen',
  'The job has finished: there are no tasks left to kill.': 'Der Job ist beendet: Es gibt keine Tasks mehr zu stoppen.',
  'The job was already killed.': 'Der Job wurde bereits gestoppt.',
  'None of its tasks failed or timed out.': 'Keiner seiner Tasks ist fehlgeschlagen oder in ein Timeout gelaufen.',
  'Kill 1 job': '1 Job stoppen',
  'Kill 1 job?': '1 Job stoppen?',
  'Killed 1 job': '1 Job gestoppt',
  'Retry 1 job': '1 Job wiederholen',
  'Retry 1 job?': '1 Job wiederholen?',
  'Retried 1 job': '1 Job wiederholt',
  '{touched} of {workflowId}': '{touched} von {workflowId}',
  'Tasks waiting for a retry will fail with the code KILLED, and their workers are told to stop. Completed tasks are kept. Killed tasks can be retried.':
    'Tasks, die auf einen Retry warten, schlagen mit dem Code KILLED fehl, und ihre Worker werden zum Anhalten aufgefordert. Erledigte Tasks bleiben erhalten. Gestoppte Tasks lassen sich wiederholen.',
  '{tasks} will fail with the code KILLED, and the workers are told to stop. Completed tasks are kept. Killed tasks can be retried.':
    '{tasks} schlagen mit dem Code KILLED fehl, und die Worker werden zum Anhalten aufgefordert. Erledigte Tasks bleiben erhalten. Gestoppte Tasks lassen sich wiederholen.',
  'The job stays on its version, {hash}. To run it on a newer version with the fix, use “Rerun…”.':
    'Der Job bleibt auf seiner Version {hash}. Um ihn auf einer neueren Version mit der Behebung auszuführen, „Erneut ausführen…“ verwenden.',
  '{job} that failed or timed out will be queued again, with retries reset.':
    '{job}, fehlgeschlagen oder im Timeout, neu einreihen; die Retries beginnen von vorn.',
};
