import type { Catalogue } from '../../../lib/language.ts';

/** Dashboards and alert rules that come with the product. */
export const builtIn: Catalogue = {
  'Cluster Overview': 'Clusterübersicht',
  'Worker health, capacity and load.': 'Zustand, Kapazität und Last der Worker.',
  'In-flight tasks': 'Tasks in Arbeit',
  'Across all workers, at their last heartbeat': 'Über alle Worker, beim letzten Heartbeat',
  'Total task slots of all workers': 'Task-Slots aller Worker zusammen',
  'READY tasks waiting for a worker': 'Tasks im Status READY, die auf einen Worker warten',
  'Failed attempts': 'Fehlgeschlagene Versuche',
  'Worker CPU': 'Worker-CPU',
  'Worker memory': 'Worker-Speicher',
  'In-flight tasks by worker': 'Tasks in Arbeit nach Worker',
  'Finished attempts by worker': 'Beendete Versuche nach Worker',
  'Task input events per second': 'Eingehende Events in Tasks pro Sekunde',
  'Failed attempts by worker': 'Fehlgeschlagene Versuche nach Worker',
  'Job Monitoring': 'Job-Überwachung',
  'Job throughput, results, durations and failures.': 'Durchsatz, Ergebnisse, Dauer und Fehler der Jobs.',
  'Finished jobs': 'Beendete Jobs',
  'Failed tasks': 'Fehlgeschlagene Tasks',
  'Job duration p50': 'Job-Dauer p50',
  'Job duration p95': 'Job-Dauer p95',
  'Finished jobs by workflow': 'Beendete Jobs nach Workflow',
  'End-to-end latency': 'Ende-zu-Ende-Latenz',
  'Tasks of finished jobs by state': 'Tasks beendeter Jobs nach Status',
  'Failed attempts by workflow': 'Fehlgeschlagene Versuche nach Workflow',
  'Job duration histogram': 'Histogramm der Job-Dauer',
  'Warnings and errors': 'Warnungen und Fehler',
  'Task Details': 'Task-Details',
  'Tasks by node: throughput, queue time, run time and failures.':
    'Tasks nach Knoten: Durchsatz, Wartezeit, Laufzeit und Fehler.',
  'Run time by node (p95)': 'Laufzeit nach Knoten (p95)',
  'Queue time by node (p95)': 'Wartezeit nach Knoten (p95)',
  'Node input events per second': 'Eingehende Events je Knoten pro Sekunde',
  'Node output events per second': 'Ausgehende Events je Knoten pro Sekunde',
  'Node input bytes per second': 'Eingehende Bytes je Knoten pro Sekunde',
  'Node output bytes per second': 'Ausgehende Bytes je Knoten pro Sekunde',
  'Failed attempts by node': 'Fehlgeschlagene Versuche nach Knoten',
  'System Health': 'Systemzustand',
  'The master itself: latency, storage and backlogs.': 'Der Master selbst: Latenz, Speicher und Rückstau.',
  'Event loop lag (p99)': 'Event-Loop-Lag (p99)',
  'Event loop lag': 'Event-Loop-Lag',
  'Master memory': 'Speicher des Masters',
  'Memory by thread': 'Speicher nach Thread',
  'CPU by thread': 'CPU nach Thread',
  'Log ingest backlog': 'Rückstau der Log-Aufnahme',
  'Store size': 'Größe der Stores',
  max: 'Max.',
  logs: 'Logs',
  metrics: 'Metriken',
  lines: 'Zeilen',
  attempts: 'Versuche',
  'run p50, ms': 'Laufzeit p50, ms',
  'run p95, ms': 'Laufzeit p95, ms',
  'No worker answers': 'Kein Worker antwortet',
  'No worker is responding: no tasks are running': 'Kein Worker antwortet: Es laufen keine Tasks',
  'Start a worker, or check why the workers are gone. Queued tasks time out at their schedule timeout.':
    'Einen Worker starten oder prüfen, warum die Worker weg sind. Wartende Tasks laufen in ihr Wartezeitlimit.',
  'Worker down': 'Worker ausgefallen',
  'Worker {url} is not responding': 'Worker {url} antwortet nicht',
  'No heartbeat for {time}. Its tasks were rescheduled on other workers.':
    'Kein Heartbeat seit {time}. Seine Tasks wurden auf andere Worker verteilt.',
  'Failure rate': 'Fehlerrate',
  '{share} of task runs of {workflow} fail ({environment})':
    '{share} der Task-Läufe von {workflow} schlagen fehl ({environment})',
  'Over the last 5 minutes, with at least 20 runs.': 'In den letzten 5 Minuten, bei mindestens 20 Läufen.',
  'Queue stuck': 'Queue blockiert',
  'Tasks queued while none is running: {count}': 'Wartende Tasks, während keiner läuft: {count}',
  'Workers may be draining, unhealthy or missing a handler. Open “Why is it not running?” on a queued task.':
    'Worker sind vielleicht stillgelegt oder gestört, oder ein Handler fehlt. „Warum läuft er nicht?“ an einem wartenden Task öffnen.',
  'Store nearly full': 'Speicher fast voll',
  'The disk of the data folder is {share} full': 'Die Platte des Datenordners ist zu {share} voll',
  'Writes are rejected once the disk is full. Free up space or shorten retention.':
    'Ist die Platte voll, werden Schreibzugriffe abgewiesen. Platz schaffen oder Aufbewahrung verkürzen.',
  'Pipeline backlog': 'Rückstau der Pipeline',
  'Log lines waiting for the log store: {count}': 'Logzeilen, die auf den Log-Store warten: {count}',
  'More lines arrive than can be stored. Lines are dropped once the queue is full.':
    'Es kommen mehr Zeilen an, als gespeichert werden können. Ist die Queue voll, werden Zeilen verworfen.',
  'No standby': 'Kein Standby',
  'No standby could take over from the owner': 'Kein Standby könnte den Eigentümer ablösen',
  'If the owner dies, everything waits until it is back. Start another master with the same store.':
    'Fällt der Eigentümer aus, wartet alles, bis er wieder da ist. Einen weiteren Master mit demselben Store starten.',
  'Standby lag': 'Rückstand eines Standbys',
  'Standby {url} is {time} behind': 'Standby {url} liegt {time} zurück',
  'A takeover by it would take that much longer. Check its load, and its connection to PostgreSQL.':
    'Eine Übernahme durch ihn würde um so viel länger dauern. Seine Last und seine Verbindung zu PostgreSQL prüfen.',
  Failover: 'Failover',
  'Master {to} took over from {from} ({reason})': 'Master {to} hat {from} abgelöst ({reason})',
  'There was no owner for {seconds} s. Check why the master before it was lost.':
    '{seconds} s lang gab es keinen Eigentümer. Prüfen, warum der Master davor verloren ging.',
  'PostgreSQL slow': 'PostgreSQL langsam',
  'An append to the journal takes {ms} ms': 'Ein Anhängen an das Journal dauert {ms} ms',
  'Every call waits for it. Check the load, the disk and the synchronous replicas of PostgreSQL.':
    'Jeder Aufruf wartet darauf. Last, Platte und synchrone Replikate von PostgreSQL prüfen.',
  'Master diverged': 'Master abgewichen',
  'Master {url} differs from the journal': 'Master {url} weicht vom Journal ab',
  'It cannot take over and rebuilds itself. If it happens again, check its disk and its version.':
    'Er kann nicht übernehmen und baut sich neu auf. Kommt es wieder vor, seine Platte und Version prüfen.',
  'Tables for SQL behind': 'Tabellen für SQL im Rückstand',
  'The tables for SQL are {time} behind': 'Die Tabellen für SQL liegen {time} zurück',
  'Reports show old data. Check the load of the master that writes them, and of PostgreSQL.':
    'Berichte zeigen alte Daten. Die Last des Masters, der sie schreibt, und die von PostgreSQL prüfen.',
  'Tables for SQL stopped': 'Tabellen für SQL angehalten',
  'The tables for SQL are not being written': 'Die Tabellen für SQL werden nicht geschrieben',
  'Reports show old data; calls are not affected. The page Cluster has the reason.':
    'Berichte zeigen alte Daten; Aufrufe sind nicht betroffen. Die Seite Cluster nennt den Grund.',
  'Remote target behind': 'Externes Ziel im Rückstand',
  '{target} is {time} behind ({address})': '{target} ist {time} im Rückstand ({address})',
  'It cannot be reached, or takes less than is sent. Data waits, and is dropped once the queue is full. Settings, About has the reason.':
    'Es ist nicht erreichbar oder nimmt weniger an, als gesendet wird. Daten warten und gehen verloren, sobald die Warteschlange voll ist. Der Grund steht unter Einstellungen, Über.',
  'Remote target losing data': 'Externes Ziel verliert Daten',
  'Records for {target} lost in 10 minutes: {count} ({address})':
    'In 10 Minuten verlorene Datensätze für {target}: {count} ({address})',
  'They were rejected, or the queue was full. Settings, About has the reason.':
    'Sie wurden abgelehnt, oder die Warteschlange war voll. Der Grund steht unter Einstellungen, Über.',
  'Damaged data': 'Beschädigte Daten',
  'Damaged parts of the stored data: {count}': 'Beschädigte Teile der gespeicherten Daten: {count}',
  'What cannot be read for certain is not shown. The overview lists it. Check the disk, then restore it from a backup with yardmaster repair.':
    'Was nicht sicher lesbar ist, wird nicht gezeigt. Die Übersicht führt es auf. Die Platte prüfen, dann mit yardmaster repair aus einem Backup wiederherstellen.',
  'Log senders refused': 'Abgewiesene Log-Sender',
  'Senders or lines that the log port refused in 5 minutes: {count} ({reason})':
    'Sender oder Zeilen, die der Log-Port in 5 Minuten abwies: {count} ({reason})',
  'limit: too many or silent connections. token: a missing or wrong token. http: a web page or another stranger. forged: lines of a worker that name a job, task or worker that is not its own.':
    'limit: zu viele oder stumme Verbindungen. token: ein fehlendes oder falsches Token. http: eine Webseite oder ein anderer Fremder. forged: Zeilen eines Workers, die einen fremden Job, Task oder Worker nennen.',
  'Approved alone or expired': 'Allein freigegeben oder abgelaufen',
  'Approval requests in one hour without a second person: {count} ({reason})':
    'Freigabeanfragen in einer Stunde ohne zweite Person: {count} ({reason})',
  'alone: somebody approved alone, or turned protection off with the master’s own token. expired: nobody decided in time. Approvals and the audit log have the names.':
    'alone: Jemand gab allein frei oder schaltete den Schutz mit dem eigenen Token des Masters ab. expired: Niemand entschied rechtzeitig. Die Namen stehen unter Freigaben und im Audit-Log.',
  'Wrong credentials': 'Falsche Anmeldedaten',
  'Wrong tokens, keys or sign-in codes in 5 minutes: {count}':
    'Falsche Token, Schlüssel oder Anmeldecodes in 5 Minuten: {count}',
  'Somebody is guessing, or a program goes on with a token that was revoked. The audit log has the addresses (token.refused, session.refused).':
    'Jemand rät, oder ein Programm benutzt weiter ein widerrufenes Token. Die Adressen stehen im Audit-Log (token.refused, session.refused).',
  'Scheduled job missed': 'Geplanter Job ausgefallen',
  'Due times of a schedule of {workflow} ({environment}) without a job: {count}':
    'Fälligkeiten eines Zeitplans von {workflow} ({environment}) ohne Job: {count}',
  'In the last hour. The history of the schedule has the reason of each. Start what is missing with a backfill.':
    'In der letzten Stunde. Der Verlauf des Zeitplans nennt jeweils den Grund. Fehlendes lässt sich mit einem Backfill starten.',
  'Scheduled job late': 'Geplanter Job verspätet',
  'Jobs of a schedule of {workflow} ({environment}) that started late: {count}':
    'Verspätet gestartete Jobs eines Zeitplans von {workflow} ({environment}): {count}',
  'In the last hour. The master was away or overloaded when they were due.':
    'In der letzten Stunde. Der Master war nicht da oder überlastet, als sie fällig waren.',
  'Webhook deliveries failing': 'Zustellungen an Webhooks schlagen fehl',
  'Deliveries to a webhook of {workflow} ({environment}) that started no job: {count}':
    'Zustellungen an einen Webhook von {workflow} ({environment}), die keinen Job starteten: {count}',
  'In 10 minutes. The deliveries of the webhook have the reason of each. Replay what is missing.':
    'In 10 Minuten. Die Zustellungen des Webhooks nennen jeweils den Grund. Fehlendes lässt sich wiederholen.',
  'Webhook deliveries refused': 'Zustellungen an Webhooks abgelehnt',
  'Deliveries to a webhook of {workflow} ({environment}) that could not be verified: {count}':
    'Zustellungen an einen Webhook von {workflow} ({environment}), die nicht geprüft werden konnten: {count}',
  'In 10 minutes. The service may have another secret than the webhook, or a stranger knows its address.':
    'In 10 Minuten. Vielleicht hat der Dienst ein anderes Secret als der Webhook, oder ein Fremder kennt seine Adresse.',
  'Approval waiting': 'Freigabe offen',
  '{workflow} is waiting for an approval: {title}': '{workflow} wartet auf eine Freigabe: {title}',
  'Decide it on the page Approvals, or with `yardmaster approvals`.':
    'Auf der Seite Freigaben entscheiden oder mit `yardmaster approvals`.',
};
