import type { Catalogue } from '../../../lib/language.ts';

export const jobActions: Catalogue = {
  Kill: 'Stoppen',
  Retry: 'Wiederholen',
  'Your role is viewer: this needs an operator.': 'Die Rolle ist viewer: Dafür braucht es operator.',
  'It has ended: no task is left to kill.': 'Er ist beendet: Kein Task ist mehr zu stoppen.',
  'It was killed already.': 'Er wurde bereits gestoppt.',
  'None of its tasks failed or timed out.': 'Keiner seiner Tasks ist fehlgeschlagen oder zeitüberschritten.',
  'Kill 1 job': '1 Job stoppen',
  'Kill 1 job?': '1 Job stoppen?',
  'Killed 1 job': '1 Job gestoppt',
  'Retry 1 job': '1 Job wiederholen',
  'Retry 1 job?': '1 Job wiederholen?',
  'Retried 1 job': '1 Job wiederholt',
  '{touched} of {workflowId}': '{touched} von {workflowId}',
  'Tasks that wait for a retry will become failed with the code KILLED and their workers are told to stop. Tasks that are done stay done. Killed tasks can be retried.':
    'Tasks, die auf eine Wiederholung warten, schlagen mit dem Code KILLED fehl, und ihre Worker werden zum Anhalten aufgefordert. Erledigte Tasks bleiben erledigt. Gestoppte Tasks können wiederholt werden.',
  '{tasks} will become failed with the code KILLED and their workers are told to stop. Tasks that are done stay done. Killed tasks can be retried.':
    '{tasks} schlagen mit dem Code KILLED fehl, und die Worker werden zum Anhalten aufgefordert. Erledigte Tasks bleiben erledigt. Gestoppte Tasks können wiederholt werden.',
  'The job stays on its version, {hash}: where a newer one mends it, run it again on that with “Rerun…”.':
    'Der Job bleibt bei seiner Version {hash}: Behebt eine neuere den Fehler, ihn mit „Erneut ausführen…“ auf dieser laufen lassen.',
  '{job} that failed or timed out will be queued again, with a fresh allowance of retries.':
    '{job}, fehlgeschlagen oder zeitüberschritten: neu einreihen, mit frischem Vorrat an Wiederholungen.',
};
