import { deMore } from './de-more.ts';

/** What each limit does, as `docs/limits.md` says it in English. Apart from the other texts: only the settings need them. */
export const limitMeanings: Readonly<Record<string, string>> = {
  bodyBytes: 'Höchstgröße einer Anfrage nach dem Entpacken, in Bytes.',
  jsonDepth: 'Höchste Verschachtelung eines JSON-Inhalts.',
  jsonValues: 'Höchstzahl der Werte eines JSON-Inhalts.',
  batchJsonValues: 'Höchstzahl der Werte im JSON-Inhalt eines Sammeljobs.',
  heavyBodyBytes: 'Anfragen ab dieser Größe werden in einem eigenen Thread gelesen und geprüft, in Bytes.',
  heavyDefinitionBytes: 'Definitionen ab dieser Größe werden in einem eigenen Thread geprüft, in Bytes.',
  heavyQueueBytes: 'Höchstgröße der Anfragen, die auf diesen Thread warten, in Bytes; weitere bekommen 503 OVERLOADED.',
  heavyAnswerBytes:
    'Nutzdaten und Antworten ab dieser Größe werden in einem eigenen Thread gelesen und geschwärzt, in Bytes.',
  eventsPerSecondPerKey: 'Aufrufe je Sekunde und API-Schlüssel; Spitzen von einer Sekunde sind erlaubt. 0: unbegrenzt.',
  preferWaitSeconds: 'Längste Wartezeit, die Prefer: wait verlangen darf, in Sekunden.',
  eventInputs: 'Höchstzahl der Eingaben eines Aufrufs.',
  eventWaitSeconds: 'Wie lange ein Aufruf ohne Prefer auf den Job wartet, in Sekunden.',
  idempotencyHours: 'Wie lange Idempotenzschlüssel bleiben, in Stunden.',
  queueDepth: 'Höchstzahl der Tasks in READY; darüber bekommen Aufrufe 503 OVERLOADED. 0: unbegrenzt.',
  eventWaitingBytes:
    'Höchstgröße der Anfragen von Aufrufen, die auf eine Antwort warten, in Bytes; darüber bekommen Aufrufe 503 OVERLOADED. 0: unbegrenzt.',
  eventWaitingCalls:
    'Höchstzahl der Aufrufe, die auf eine Antwort warten; darüber bekommen Aufrufe 503 OVERLOADED. 0: unbegrenzt.',
  retries: 'Wie oft ein Task wiederholt wird, wenn nichts anderes angegeben ist.',
  retryBackoffSeconds: 'Pause vor der ersten Wiederholung, in Sekunden; sie verdoppelt sich mit jeder weiteren.',
  retryBackoffMaxSeconds: 'Längste Pause vor einer Wiederholung, in Sekunden.',
  retryAfterMaxSeconds:
    'Längste Pause vor einer Wiederholung, die ein aufgerufener Dienst (Retry-After) oder ein Handler verlangen darf, in Sekunden; längere werden darauf gekürzt.',
  retryJitter: 'Zufälliger Anteil einer Pause (±).',
  retryCheckSeconds:
    'Wie oft nach fälligen Wiederholungen, Timeouts und Wiederherstellungen gesehen wird, in Sekunden.',
  scheduleTimeoutSeconds:
    'Wie lange ein Task in READY höchstens auf einen Worker wartet, wenn nichts anderes angegeben ist, in Sekunden.',
  startSeconds:
    'Wie lange ein Worker für den Beginn eines zugeteilten Tasks haben darf, in Sekunden; dann schlägt der Versuch mit WORKER_LOST fehl und wird wie üblich wiederholt.',
  leaseCheckSeconds:
    'Wie oft ein Worker gefragt wird, ob ein Task noch läuft, in Sekunden; wenn nicht, schlägt der Versuch mit WORKER_LOST fehl und wird wie üblich wiederholt.',
  runTimeoutSeconds: 'Wie lange ein Versuch höchstens dauert, wenn nichts anderes angegeben ist, in Sekunden.',
  heartbeatSeconds: 'Abstand der Heartbeats von Workern, in Sekunden.',
  workerUnstableSeconds: 'Ein Worker, der länger keinen Heartbeat schickt, ist instabil, in Sekunden.',
  workerDownSeconds: 'Ein Worker, der länger keinen Heartbeat schickt, gilt als ausgefallen, in Sekunden.',
  definitionNodes: 'Höchstzahl der Knoten einer Definition.',
  definitionBytes: 'Höchstgröße einer Definition, in Bytes.',
  schemaBytes: 'Höchstgröße eines Eingabeschemas, in Bytes.',
  schemaSteps:
    'Höchstzahl der Prüfschritte für die Eingaben eines Aufrufs; eine Million Schritte dauert einige zehn Millisekunden.',
  runnableCommits:
    'Versionen und Entwürfe, die lauffertig im Speicher bleiben; die am längsten ungenutzten weichen zuerst.',
  runnableBytes: 'Höchstgröße der Definitionen in diesem Speicher, in Bytes.',
  taskMessageCharacters: 'Höchstlänge der Fehlermeldung eines Tasks, in Zeichen; längere werden gekürzt.',
  workerFrameBytes: 'Höchstgröße einer Nachricht zwischen Master und Worker, in Bytes.',
  workerFrameItems:
    'Höchstzahl der Leases, Berichte, Metrikpunkte oder Fortschritte in einer Nachricht eines Workers; bei mehr wird die Verbindung getrennt.',
  workerOutcomeSeconds:
    'Wie lange ein verlorener Task oder ein Absturz gegen einen Worker zählt (instabil), in Sekunden.',
  workerForgetSeconds: 'Ein Worker, der länger ausgefallen ist, verschwindet aus der Liste, in Sekunden.',
  forEachItems: 'Höchstzahl der Elemente eines forEach-Knotens.',
  childDepth: 'Höchste Verschachtelung von Kindjobs.',
  taskOutputBytes: 'Höchstgröße der Ausgabe eines Tasks und der vereinten Ausgaben eines forEach-Knotens, in Bytes.',
  jobOutputBytes:
    'Höchstgröße der Ausgabe eines Jobs, in Bytes; größere schlagen mit OUTPUT_TOO_LARGE fehl. Die Ausgaben der Tasks bleiben.',
  payloadPreviewBytes: 'Größere Nutzdaten werden in Listen gekürzt, in Bytes.',
  payloadPageBytes:
    'Höchstgröße aller Nutzdaten auf einer Seite von Tasks, in Bytes; auf langen Seiten wird weiter gekürzt.',
  pageSize: 'Zeilen einer Seite von Listen, wenn nichts anderes verlangt wird.',
  pageSizeMax: 'Höchstzahl der Zeilen einer Seite, die verlangt werden darf.',
  codeMemoryBytes: 'Speicher eines Laufs eines Code-Knotens, in Bytes.',
  codeTimeoutSeconds: 'Timeout eines Code-Knotens, wenn nichts anderes angegeben ist, in Sekunden.',
  codeLogLines:
    'Höchstzahl der Logzeilen eines Laufs eines Code-Knotens; weitere werden verworfen, und eine Zeile sagt das.',
  expressionSeconds: 'Timeout der JSONata eines Knotens, in Sekunden.',
  masterExpressionSeconds:
    'Timeout eines JSONata-Ausdrucks des Masters selbst, etwa dessen eines Webhooks, in Sekunden.',
  expressionMemoryBytes: 'Speicher eines JSONata-Ausdrucks, der aufwendig sein kann, in Bytes.',
  delayMaxSeconds: 'Längste Verzögerung, in Sekunden.',
  httpTimeoutSeconds: 'Timeout eines http-Knotens, wenn nichts anderes angegeben ist, in Sekunden.',
  httpBodyBytes: 'Höchstgröße der Antwort an einen http-Knoten, in Bytes.',
  logLineBytes:
    'Höchstgröße einer Logzeile über TCP, in Bytes; längere werden gekürzt. Am HTTP-Port des Logspeichers darf ein JSON-Datensatz sechsmal so lang sein, dazu 64 KiB, weil Zeichen maskiert sein können.',
  remoteLogLineBytes:
    'Dasselbe mit --logs, wenn das weniger ist: VictoriaLogs verwirft Zeilen über 256 KiB (-insert.maxLineSizeBytes), mit den Feldern, die hinzukommen.',
  workerLogBufferBytes:
    'Logzeilen, die ein Worker puffert, solange die Log-Pipeline nicht erreichbar ist, in Bytes; die ältesten werden verworfen und gezählt.',
  logStoreBytes:
    'Höchstgröße des Logspeichers auf der Platte, in Bytes; die ältesten Datensätze werden zuerst gelöscht.',
  logRetentionDays: 'Aufbewahrung von Logzeilen, in Tagen. 0: unbegrenzt.',
  logReserveBytes:
    'Freier Plattenplatz, den der Logspeicher lässt, in Bytes; darunter lehnt er neue Zeilen ab, bleibt aber durchsuchbar.',
  logWaitingBytes:
    'Höchstgröße der Pakete, die auf den Logspeicher warten, in Bytes; darüber bekommen Anfragen 503 OVERLOADED.',
  logFields: 'Höchstzahl der Felder einer Logzeile; Zeilen mit mehr werden ausgelassen.',
  logFieldNameBytes: 'Höchstlänge eines Feldnamens, in Bytes; längere werden gekürzt.',
  logReads:
    'Höchstzahl gleichzeitiger Logabfragen, für schnelle und für lange (die in einem eigenen Thread laufen) getrennt.',
  logReadQueue: 'Höchstzahl wartender Logabfragen jeder Art; weitere bekommen 503 OVERLOADED.',
  logReadWaitSeconds: 'Längste Wartezeit einer solchen Abfrage, in Sekunden.',
  logCacheBytes:
    'Speicher für entpackte Spalten, den die beiden Threads der Logabfragen teilen, in Bytes; nach einer Minute ohne Abfragen wird er frei.',
  pipelineQueueBytes:
    'Höchstgröße der Queue einer Log-Pipeline auf der Platte, in Bytes; ist sie voll, werden Sender angehalten.',
  pipelineDropWhenFull: '1: bei voller Queue neue Zeilen verwerfen und zählen, statt Sender anzuhalten.',
  pipelineDeadLetterBytes: 'Höchstgröße der Dead Letters, in Bytes; die ältesten werden zuerst gelöscht.',
  pipelineFlushMs: 'Wie lange eine Zeile auf andere warten darf, bevor ihr Paket gesendet wird, in Millisekunden.',
  pipelineConnections: 'Höchstzahl der Verbindungen von Sendern zu einer Log-Pipeline.',
  pipelineConnectionsPerAddress: 'Höchstzahl dieser Verbindungen von einer Adresse eines anderen Rechners.',
  pipelineFirstLineSeconds:
    'Wie viel Zeit ein Sender für seine erste Zeile hat, wo ein Token verlangt wird, in Sekunden. Sonst wird ein Sender, der länger schweigt, getrennt, wenn alle Verbindungen belegt sind.',
  pipelineUnfinishedBytes:
    'Höchstgröße unvollständiger Zeilen über alle Verbindungen, in Bytes; darüber werden Zeilen gekürzt.',
  pipelineReplicas: 'Zahl der Log-Pipelines, die einen Port teilen.',
  logInsertBytes: 'Höchstgröße einer Anfrage am Port des Logspeichers nach dem Entpacken, in Bytes.',
  logInsertHeldBytes:
    'Höchstgröße aller Anfragen im Speicher am Port des Logspeichers, in Bytes; darüber bekommen Anfragen 503.',
  logInsertNames: 'Höchstzahl der Namen in einer Feldliste einer Anfrage, etwa ignore_fields.',
  logQuerySeconds: 'Timeout einer Abfrage am Port des Logspeichers, in Sekunden.',
  logQueryBytes:
    'Speicher einer Logabfrage zum Sortieren und Gruppieren, in Bytes; darüber schlägt sie mit QUERY_TOO_LARGE fehl.',
  logQueries:
    'Höchstzahl gleichzeitiger Abfragen am Port des Logspeichers; weitere warten bis zu 10 s, dann bekommen sie 503.',
  logTails: 'Höchstzahl der Live-Tails am Port des Logspeichers.',
  logSearchLimit: 'Datensätze einer Logsuche, wenn nichts anderes verlangt wird.',
  logSearchLimitMax: 'Höchstzahl der Datensätze, die eine Logsuche verlangen darf.',
  logExports: 'Höchstzahl gleichzeitiger Log-Exporte.',
  logViewRecords:
    'Datensätze, die eine Logansicht der Konsole im Speicher hält; die ältesten weichen zuerst und werden bei Bedarf neu geladen.',
  logViewCharacters: 'Zeichen der Datensätze, die eine Logansicht der Konsole im Speicher hält.',
  metricsLimit: 'Datenpunkte einer Metrikabfrage, wenn nichts anderes verlangt wird.',
  metricsStoreBytes:
    'Höchstgröße des Metrikspeichers, in Bytes; die ältesten Punkte werden zuerst gelöscht, dann die ältesten Roll-ups.',
  metricsRetentionDays:
    'Aufbewahrung von Metrikpunkten, in Tagen; die von Reihen mit wenigen Punkten bleiben so lange wie Roll-ups. 0: unbegrenzt.',
  metricsRollupRetentionDays: 'Aufbewahrung der Roll-ups von einer Minute, in Tagen. 0: unbegrenzt.',
  metricsSeries:
    'Höchstzahl der Zeitreihen (Messung und Tags, ohne job_id und task_id) im Metrikspeicher; Punkte weiterer werden verworfen und gezählt.',
  metricsFields:
    'Höchstzahl der Felder über alle Messungen des Metrikspeichers; Punkte mit weiteren werden verworfen und gezählt.',
  metricsQuerySeconds: 'Timeout einer Metrikabfrage, in Sekunden.',
  metricsQueryValues: 'Höchstzahl der Werte, die eine Metrikabfrage lesen darf.',
  metricsQueryBytes: 'Speicher jedes Threads für Metrikabfragen, in Bytes.',
  metricsQueries: 'Höchstzahl gleichzeitiger Metrikabfragen; weitere bekommen 503 OVERLOADED.',
  influxBodyBytes:
    'Höchstgröße einer Anfrage mit Line Protocol am Port des Metrikspeichers nach dem Entpacken, in Bytes.',
  influxHeldBytes:
    'Höchstgröße aller Anfragen im Speicher am Port des Metrikspeichers, in Bytes; darüber bekommen Anfragen 503.',
  fluxQueryBytes: 'Höchstgröße einer Flux-Abfrage mit ihrem Dialekt, in Bytes.',
  fluxQueries: 'Höchstzahl gleichzeitiger Flux-Abfragen; weitere warten bis zu 10 s, dann bekommen sie 429.',
  metricsRemoteQueueBytes:
    'Höchstgröße jeder Queue auf der Platte für Metriken, die anderswohin gehen, in Bytes; ist sie voll, werden die ältesten verworfen und gezählt.',
  remoteWriteSeconds: 'Wie oft Metriken mit Prometheus Remote Write gesendet werden, in Sekunden.',
  remoteWriteSeries:
    'Höchstzahl der Zeitreihen, die mit Prometheus Remote Write gesendet werden; Punkte weiterer werden ausgelassen und gezählt.',
  metricsQueuePoints: 'Höchstzahl der Punkte, die auf den Metrikspeicher warten; weitere werden verworfen und gezählt.',
  metricsQueueBytes:
    'Höchstgröße der Punkte, die auf den Metrikspeicher oder auf Remote Write warten, in Byte; weitere werden verworfen und gezählt.',
  labels: 'Höchstzahl der Labels eines Jobs.',
  failureGroups: 'Höchstzahl der Fehlergruppen; die am längsten keinen Fehlschlag hatten, werden zuerst gelöscht.',
  failureParts:
    'Höchstzahl der Versionen und der Worker, die eine Fehlergruppe zählt; die am längsten keinen Fehlschlag hatten, fallen zuerst weg.',
  failureMessageCharacters: 'Höchstlänge des Meldungsmusters einer Fehlergruppe, in Zeichen.',
  failureSample:
    'Zahl der fehlgeschlagenen und der erfolgreichen Jobs einer Gruppe, die verglichen werden, um wahrscheinliche Ursachen zu finden.',
  failureStanding: 'Zahl der neuesten Jobs einer Fehlergruppe, deren heutiger Status gezählt wird.',
  searchInputs: 'Zahl der Eingaben eines Jobs, die durchsuchbar sind: die ersten.',
  searchFields: 'Höchstzahl der durchsuchbaren Felder einer Eingabe.',
  searchDepth: 'Höchste Verschachtelung durchsuchbarer Felder.',
  searchValueCharacters: 'Längere Werte sind nur nach ihren Wörtern durchsuchbar, in Zeichen.',
  searchInputBytes: 'Größere Eingaben sind nicht durchsuchbar, in Bytes.',
  searchTextCharacters: 'Zeichen eines Textes, deren Wörter durchsuchbar sind.',
  searchWords: 'Höchstzahl verschiedener durchsuchbarer Wörter in den Eingaben eines Jobs.',
  searchMatches:
    'Höchstzahl der Jobs, die eine Suche treffen darf, bevor andere Filter gelten; darüber schlägt sie mit SEARCH_TOO_BROAD fehl.',
  searchScan: 'Zahl der Jobs, die noch nicht im Index sind und die eine Suche einzeln liest.',
  searchReads:
    'Höchstzahl der Jobs, deren Eingaben eine Abfrage liest, um Werte zu vergleichen; darüber schlägt sie mit SEARCH_TOO_BROAD fehl.',
  querySeconds: 'Längste Dauer einer Abfrage der Jobliste, in Sekunden; dann schlägt sie mit QUERY_TOO_SLOW fehl.',
  readQueue:
    'Höchstzahl wartender Listen und Suchen sowie wartender Vergleiche und anderer aufwendiger Abfragen; weitere bekommen 503 OVERLOADED.',
  jobRetentionDays: 'Aufbewahrung beendeter Jobs, in Tagen. 0: unbegrenzt.',
  jobRetentionCount: 'Höchstzahl beendeter Jobs; die ältesten werden zuerst gelöscht. 0: unbegrenzt.',
  dataCheckDays: 'Nach wie vielen Tagen alle Daten erneut gelesen werden, um Schäden zu finden. 0: nur auf Verlangen.',
  dataCheckBytesPerSecond: 'Wie schnell Daten gelesen werden, um Schäden zu finden, in Bytes je Sekunde.',
  retentionStepMs: 'Ungefähre Zeit eines Schritts der Aufbewahrung im Event Loop, in Millisekunden.',
  auditRetentionDays: 'Aufbewahrung von Einträgen des Auditlogs, in Tagen. 0: unbegrenzt.',
  auditRetentionCount: 'Höchstzahl der Einträge des Auditlogs; die ältesten werden zuerst gelöscht. 0: unbegrenzt.',
  ...deMore,
};
