export const deMore: Readonly<Record<string, string>> = {
  auditSecretUseCount:
    'Höchstzahl der Einträge über benutzte Secrets und gelesene Nutzdaten, die mit jedem Job entstehen und oben nicht mitzählen. 0: unbegrenzt.',
  publicationRetentionCount:
    'Höchstzahl der Einträge im Veröffentlichungsverlauf; die aktuellen bleiben immer. 0: unbegrenzt.',
  credentialRetentionDays:
    'Wie lange widerrufene und abgelaufene API-Schlüssel und Tokens noch angezeigt werden, in Tagen. 0: unbegrenzt.',
  operationRetentionDays: 'Aufbewahrung beendeter Sammelaktionen, in Tagen. 0: unbegrenzt.',
  operationRetentionCount: 'Höchstzahl beendeter Sammelaktionen; die ältesten werden zuerst gelöscht.',
  bulkIds: 'Höchstzahl der Job-IDs einer Sammelaktion.',
  bulkJobs: 'Höchstzahl der Jobs, die eine Sammelaktion treffen darf.',
  approvalSeconds:
    'Wie lange eine Anfrage auf Freigabe offen bleibt und die Jobs festhält, um die es geht, in Sekunden.',
  approvalsOpen: 'Höchstzahl offener Anfragen auf Freigabe; weitere bekommen 409 TOO_MANY_APPROVALS.',
  approverSettleHours:
    'Wie alt ein Konto, ein Token, eine Rolle oder ein Passwort bei einer Anfrage sein muss, bevor jemand entscheiden darf, der es vom Anfragenden hat, in Stunden.',
  approvalRetentionDays: 'Aufbewahrung entschiedener Anfragen auf Freigabe, in Tagen. 0: unbegrenzt.',
  bulkSnapshots:
    'Zahl der Probeläufe von Sammelaktionen, deren getroffene Jobs für den Start aufgehoben werden; die ältesten werden zuerst gelöscht.',
  bulkOperations: 'Höchstzahl gleichzeitiger Sammelaktionen; weitere bekommen 503 OVERLOADED.',
  draftRuns: 'Höchstzahl gleichzeitiger Entwurfsläufe; weitere bekommen 503 OVERLOADED.',
  draftRunInputs: 'Höchstzahl der Eingaben eines Entwurfslaufs.',
  draftRunSeconds: 'Timeout jeder Eingabe eines Entwurfslaufs, in Sekunden.',
  draftRunKeepSeconds: 'Wie lange ein Entwurfslauf nach seinem Ende bleibt, in Sekunden.',
  bulkReadyTasks:
    'Zahl der Tasks in READY, ab der große Wiederholungen und Neustarts langsamer werden, damit wartende Tasks ihr Wartezeitlimit nicht erreichen. 0: nie.',
  bulkCheckSeconds:
    'Wie lange der Probelauf eines Sammelneustarts Eingaben gegen ein geändertes Eingabeschema prüft, in Sekunden; die übrigen Jobs gelten als ungeprüft.',
  jobExports: 'Höchstzahl gleichzeitiger Job-Exporte; weitere bekommen 503 OVERLOADED.',
  exportStallSeconds:
    'Wie lange der Empfänger eines Exports nichts lesen darf, bevor seine Verbindung getrennt wird, in Sekunden.',
  secrets: 'Höchstzahl der Secrets.',
  secretBytes: 'Höchstgröße eines Secrets, in Bytes.',
  httpRedirects: 'Höchstzahl der Weiterleitungen, denen ein http-Knoten folgt.',
  alertRules: 'Höchstzahl der Alarmregeln, die eingebauten mitgezählt.',
  alertInstances:
    'Höchstzahl der Zeitreihen einer Alarmregel, die ausgewertet werden; weitere werden ignoriert und gemeldet.',
  alertQuerySeconds: 'Timeout der Abfrage einer Alarmregel, in Sekunden.',
  alertConcurrency: 'Höchstzahl gleichzeitiger Abfragen von Alarmregeln.',
  alertSilences: 'Höchstzahl offener Stummschaltungen.',
  alertChannels: 'Höchstzahl der Alarmkanäle.',
  alertMessageAlerts: 'Höchstzahl der Alarme, die eine Nachricht aufführt; die übrigen werden gezählt.',
  alertSenders: 'Höchstzahl der Nachrichten, die gleichzeitig gesendet werden.',
  alertSendSeconds: 'Timeout beim Senden einer Nachricht, in Sekunden.',
  alertRetrySeconds:
    'Pause, bevor eine fehlgeschlagene Nachricht erneut gesendet wird, in Sekunden; sie verdoppelt sich mit jedem Versuch.',
  alertRetryMaxSeconds: 'Längste solche Pause, in Sekunden.',
  alertHistoryDays: 'Aufbewahrung des Alarmverlaufs und beendeter Stummschaltungen, in Tagen. 0: unbegrenzt.',
  alertHistoryCount: 'Höchstzahl der Einträge im Alarmverlauf; die ältesten werden zuerst gelöscht. 0: unbegrenzt.',
  shadowInputs: 'Höchstzahl der Eingaben eines Backtests.',
  shadowReplaysKept: 'Zahl der Backtests, die je Workflow bleiben; mit einem neuen wird der älteste beendete gelöscht.',
  shadowReplays: 'Höchstzahl gleichzeitiger Backtests; weitere bekommen 503 OVERLOADED.',
  shadowInputSeconds: 'Timeout einer Eingabe eines Backtests, in Sekunden.',
  shadowRecordingBytes:
    'Höchstgröße der Aufzeichnung einer Eingabe, in Zeichen; größere Eingaben werden nicht nachgespielt.',
  shadowMemoryBytes: 'Speicher eines Backtest-Prozesses, in Bytes.',
  schedules: 'Höchstzahl der Zeitpläne.',
  scheduleRunsKept: 'Zahl der Fälligkeiten, deren Ergebnis je Zeitplan bleibt; ältere werden gelöscht.',
  scheduleBackfillRuns: 'Höchstzahl der Jobs, die ein Backfill startet.',
  scheduleBackfills: 'Höchstzahl der Backfills, die gleichzeitig laufen; weitere bekommen 503 OVERLOADED.',
  scheduleStartRetries:
    'Wie oft der Start eines fälligen Jobs wiederholt wird, solange der Master überlastet ist, mit wachsender Pause.',
  scheduleLateSeconds: 'Ein Job, der so viel später als fällig startet, zählt für Alarme als verspätet, in Sekunden.',
  dashboards: 'Höchstzahl eigener Dashboards.',
  compareTasks: 'Höchstzahl der Tasks beider Jobs, die ein Vergleich liest.',
  compareRows: 'Höchstzahl der Tasks und der Arten von Logzeilen, die ein Vergleich aufführt.',
  compareBytes: 'Höchstgröße der Nutzdaten, die ein Vergleich zweier Jobs liest, in Zeichen.',
  comparePayloadBytes: 'Höchstgröße von Nutzdaten, die Feld für Feld verglichen werden, in Bytes.',
  compareChanges: 'Höchstzahl der Unterschiede, die für Nutzdaten aufgeführt werden.',
  compareLogBytes: 'Höchstgröße der Logzeilen eines Jobs, die ein Vergleich liest, in Bytes; gleiche zählen einmal.',
  incidentJobs: 'Höchstzahl der Jobs in einem Incident-Paket: der verlangte, seine Eltern und seine Kinder.',
  incidentTasks: 'Höchstzahl der Tasks in einem Incident-Paket, über alle Jobs.',
  incidentLogLines: 'Höchstzahl der Logzeilen in einem Incident-Paket, über alle Jobs.',
  incidentBytes: 'Höchstgröße eines Incident-Pakets vor dem Packen, in Bytes; das Paket nennt, was fehlt.',
  incidentPayloadBytes:
    'Höchstgröße einzelner Nutzdaten in einem Incident-Paket, in Bytes; größere fehlen und werden genannt.',
  incidentBundles: 'Höchstzahl der Incident-Pakete, die gleichzeitig entstehen.',
  incidentParts: 'Höchstzahl der Teile eines Incident-Pakets, die die Konsole öffnet.',
  sessionHours: 'Wie lange eine Browser-Sitzung dauert, in Stunden.',
  otlpQueueBytes:
    'Speicher für Spans, für Logzeilen und für Werte, die auf den Export mit OTLP warten, jeweils, in Bytes; darüber werden die ältesten verworfen und gezählt.',
  otlpBatchRecords: 'Höchstzahl der Spans, Logzeilen oder Werte in einer Anfrage mit OTLP.',
  wrongTokens:
    'Höchstzahl falscher Tokens, Schlüssel und Anmeldecodes je Minute und Adresse und je Anfang eines Tokens; darüber bekommen falsche 429 TOO_MANY_ATTEMPTS.',
  wrongTokensLocal: 'Dasselbe für Programme auf dem Rechner des Masters.',
  wrongTokensBackoffSeconds:
    'Längste Pause nach zu vielen falschen Tokens, in Sekunden; sie beginnt mit einer Sekunde und verdoppelt sich.',
  users: 'Höchstzahl der Personen und Dienstkonten.',
  passwordCharacters: 'Mindestlänge eines Passworts, in Zeichen.',
  passwordCost:
    'Kosten von scrypt für Passwörter: jede Prüfung braucht 1 KiB × 2^n Speicher und entsprechend Zeit. Mit weniger gespeicherte Passwörter werden bei der nächsten Anmeldung erneuert.',
  passwordPasses: 'Wie oft scrypt für ein Passwort läuft, nacheinander.',
  passwordChecksWaiting:
    'Höchstzahl der Passwörter, die auf ihre Prüfung warten; darüber bekommen Anmeldungen 503 OVERLOADED.',
  oneTimePasswordHours: 'Wie lange ein Einmalpasswort gilt, in Stunden.',
  passkeysPerPerson: 'Höchstzahl der Passkeys einer Person.',
  passkeyMinutes: 'Wie lange ein Browser für die Antwort mit einem Passkey haben darf, in Minuten.',
  oidcSignInMinutes: 'Wie lange eine Anmeldung beim Anbieter von OpenID Connect dauern darf, in Minuten.',
  oidcPendingSignIns: 'Höchstzahl begonnener Anmeldungen beim Anbieter; darüber wird die älteste vergessen.',
  oidcCheckMinutes:
    'Wie oft der Anbieter gefragt wird, ob jemand, der angemeldet ist, sein Konto noch hat, in Minuten.',
  oidcSessionMinutes:
    'Wie lange eine Sitzung nach der letzten Bestätigung des Anbieters dauert, in Minuten: solange er nicht antwortet oder kein Refresh-Token gibt.',
  oidcTokenHours:
    'Wie lange die Tokens einer Person nach der letzten Bestätigung ihres Anbieters gelten, in Stunden; eine Anmeldung macht sie wieder gültig.',
  oidcClockSeconds: 'Wie weit die Uhren des Masters und des Anbieters abweichen dürfen, in Sekunden.',
  deviceCodeMinutes:
    'Wie lange der Code einer Kommandozeile oder Desktop-App, die angemeldet werden will, bestätigt werden kann, in Minuten.',
  deviceCodes: 'Höchstzahl solcher Codes, die warten; darüber verliert die Adresse mit den meisten ihren ältesten.',
  deviceCodesPerAddress:
    'Höchstzahl solcher Codes, die je Adresse warten; darüber entfällt der älteste dieser Adresse.',
  devicePollSeconds: 'Wie oft eine Kommandozeile oder Desktop-App fragen darf, ob ihr Code bestätigt ist, in Sekunden.',
  deviceTokenDays: 'Wie lange das Token gilt, das sie dann bekommt, in Tagen.',
  projects: 'Höchstzahl der Projekte.',
  customRoles: 'Höchstzahl eigener Rollen.',
  grantsPerPerson: 'Höchstzahl der Zuweisungen einer Person oder einer Gruppe.',
  auditPayloadReads:
    'Zahl der Jobs, deren Nutzdaten jemand in einer Stunde liest, die einen eigenen Eintrag im Auditlog bekommen; weitere werden gezählt.',
  waitDays: 'Längste Wartezeit eines wait-Knotens und Frist von Signalen und Freigaben, die keine nennen, in Tagen.',
  signalsPerJob:
    'Höchstzahl der Signale, die für einen Job bleiben, bis ein Task auf sie wartet; weitere bekommen 409 TOO_MANY_SIGNALS.',
  signalBytes: 'Höchstgröße des Inhalts eines Signals, in Bytes.',
  workflowTestBytes: 'Höchstgröße der Testfälle eines Workflows, in Bytes.',
  workflowTestRuns:
    'Höchstzahl gleichzeitiger Läufe von Testfällen, für ein Projekt einer weniger; weitere bekommen 503 OVERLOADED.',
  workflowTestSeconds: 'Längster Lauf der Testfälle eines Workflows, in Sekunden; die übrigen schlagen dann fehl.',
  webhooks: 'Höchstzahl der Webhooks.',
  webhookBodyBytes: 'Höchstgröße einer Zustellung nach dem Entpacken, in Bytes.',
  webhookParts: 'Höchstzahl der Teile einer mehrteiligen Zustellung.',
  webhooksPerSecond:
    'Geprüfte Zustellungen je Sekunde und Webhook, der keine eigene Grenze hat; Spitzen von einer Sekunde sind erlaubt. 0: unbegrenzt.',
  webhookRefusalsPerSecond:
    'Abgelehnte Zustellungen je Sekunde und Adresse; darüber bekommen alle Zustellungen von dort einen Moment lang 429 RATE_LIMITED. 0: unbegrenzt.',
  webhookDeliveries: 'Neueste Zustellungen, die von jedem Webhook bleiben.',
  webhookRefusals: 'Neueste abgelehnte Zustellungen, die von jedem Webhook daneben bleiben.',
  webhookKeptBytes: 'Größere Inhalte von Zustellungen bleiben nicht und können nicht wiederholt werden, in Bytes.',
  webhookReplayDays: 'Wie lange eine Zustellungs-ID gemerkt wird, damit sie nur einen Job startet, in Tagen.',
  postgresWaitSeconds:
    'Wie lange ein startender Master auf PostgreSQL wartet, das noch nicht antwortet, in Sekunden. 0: gar nicht.',
  ownerWaitSeconds:
    'Wie lange eine Anfrage auf einen Besitzer des Zustands wartet, bevor sie 503 NO_OWNER bekommt, in Sekunden; bei einer Übergabe fünfmal so lange.',
  forwardConnectSeconds:
    'Wie lange ein Standby versucht, den Besitzer für eine weitergeleitete Anfrage zu erreichen, in Sekunden.',
  replicaWaitSeconds:
    'Wie lange ein Lesen beim Standby auf dessen Arbeitskopie wartet, bevor es dem Besitzer überlassen wird, in Sekunden.',
  journalEntryBytes:
    'Höchstgröße eines Journaleintrags vor dem Packen, in Bytes; eine einzelne Änderung darf größer sein.',
  journalUnpackedBytes:
    'Höchstgröße eines gelesenen Journaleintrags nach dem Entpacken, in Bytes; ein größerer wird als beschädigt abgelehnt.',
  journalWaitingBytes:
    'Höchstgröße der Änderungen, die auf PostgreSQL warten, in Bytes; darüber bekommen Schreibzugriffe 503 OVERLOADED.',
  snapshotJournalBytes:
    'Größe des Journals nach dem neuesten Snapshot, bei der ein Standby einen weiteren macht, in Bytes; der Besitzer bei doppelt so viel.',
  snapshotsKept: 'Zahl der Snapshots, die bleiben; sind es so viele, wird das Journal vor dem ältesten gelöscht.',
  snapshotObjectBytes: 'Größe der Objekte, in denen ein Snapshot in einen S3-Bucket geht, in Bytes.',
  drainSeconds: 'Wie lange laufende Tasks beim Beenden noch haben (--drain-seconds), in Sekunden.',
  streamPerEntityPerSecond: 'Höchstzahl der Live-Ereignisse je Objekt und Sekunde.',
};
