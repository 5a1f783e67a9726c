import type { Catalogue } from '../../../lib/language.ts';

export const workflowPublish: Catalogue = {
  'Publish {workflow}': '{workflow} veröffentlichen',
  '{count} calls would fail now': '{count} Aufruf würde jetzt fehlschlagen|{count} Aufrufe würden jetzt fehlschlagen',
  "Archived workflows can't be published.": 'Archivierte Workflows lassen sich nicht veröffentlichen.',
  'Latest version': 'Neueste Version',
  'Earlier version': 'Frühere Version',
  'Calls get 404 NOT_PUBLISHED.': 'Aufrufe erhalten 404 NOT_PUBLISHED.',
  Unpublished: 'Zurückgezogen',
  '{timeAgo} by {publishedBy}': '{timeAgo} von {publishedBy}',
  'No description': 'Keine Beschreibung',
  'Copy URL of {environment}': 'URL von {environment} kopieren',
  'Publish to {environment}…': 'In {environment} veröffentlichen…',
  'Publish…': 'Veröffentlichen…',

  'Unpublish {environment}': 'Veröffentlichung in {environment} zurückziehen',
  Unpublish: 'Zurückziehen',
  Worse: 'Schlechter',
  Better: 'Besser',
  Same: 'Gleich',
  'Not enough data': 'Zu wenige Daten',
  'Failed jobs since then: {failed}': 'Seither fehlgeschlagene Jobs: {failed}',

  Impact: 'Auswirkung',
  'Roll back to {hash} in {environment}': '{environment} auf {hash} zurücksetzen',
  'Roll back': 'Zurücksetzen',

  'Publish history of {id}': 'Veröffentlichungsverlauf von {id}',
  'Could not load the publish history': 'Der Veröffentlichungsverlauf konnte nicht geladen werden',
  'Never published': 'Nie veröffentlicht',
  'Every publication is recorded here with its author. You can roll back to any of them.':
    'Jede Veröffentlichung wird hier mit Autor aufgezeichnet. Auf jede lässt sich zurücksetzen.',
  'The version is loading.': 'Die Version wird geladen.',
  'Published {value} to {environment}': '{value} in {environment} veröffentlicht',
  'It is used from the next call on.': 'Sie gilt ab dem nächsten Aufruf.',
  'Publish {id} to {environment}': '{id} in {environment} veröffentlichen',
  'This version has validation errors. Fix them in the builder and save a new version.':
    'Diese Version hat Validierungsfehler. Im Builder beheben und eine neue Version speichern.',
  'Could not load this version.': 'Diese Version konnte nicht geladen werden.',

  Replaces: 'Ersetzt',
  'published {timeAgo}': 'veröffentlicht {timeAgo}',
  by: 'von',
  '{environment} already runs this version. Publishing it again only adds a history entry.':
    'In {environment} läuft diese Version bereits. Erneutes Veröffentlichen fügt nur einen Verlaufseintrag hinzu.',
  'Short note for the publish history': 'Kurze Notiz für den Veröffentlichungsverlauf',
  '{environment} was changed meanwhile': '{environment} wurde inzwischen geändert',
  'Someone else published here after you opened this dialog, so nothing was changed. Review the current version before you replace it.':
    'Dort wurde nach dem Öffnen dieses Dialogs veröffentlicht, daher wurde nichts geändert. Vor dem Ersetzen die aktuelle Version prüfen.',
  Reload: 'Neu laden',
  'Publish to {environment}': 'In {environment} veröffentlichen',
  'Unpublished from {environment}': 'Aus {environment} zurückgezogen',
  'Calls to {id} get 404 NOT_PUBLISHED there.': 'Aufrufe von {id} bekommen dort 404 NOT_PUBLISHED.',
  'Could not load the environments': 'Die Umgebungen konnten nicht geladen werden',
  'Unpublish {id} from {environment}?': '{id} aus {environment} zurückziehen?',
  'Unpublish from {environment}': 'Aus {environment} zurückziehen',
  'New calls get 404 NOT_PUBLISHED. Calls in progress finish normally. You can publish again at any time.':
    'Neue Aufrufe bekommen 404 NOT_PUBLISHED. Laufende Aufrufe enden normal. Erneutes Veröffentlichen ist jederzeit möglich.',
  'Roll back to {short}': 'Auf {short} zurücksetzen',
  'Roll back to {short} in {environment}?': '{environment} auf {short} zurücksetzen?',
  'Publish {short} to {environment}': '{short} in {environment} veröffentlichen',
  'It currently runs {code}.': 'Derzeit läuft dort {code}.',
  '{what} requires the role {least}; your role is not known yet.':
    '{what} erfordert die Rolle {least}; die eigene Rolle ist noch nicht bekannt.',
  '{what} requires the role {least}; yours is {role}.': '{what} erfordert die Rolle {least}; die eigene ist {role}.',
  'Creating a workflow': 'Einen Workflow anzulegen',
  Renaming: 'Umzubenennen',
  'Saving a version': 'Eine Version zu speichern',
  Archiving: 'Zu archivieren',
  'Creating and changing keys': 'Schlüssel zu erzeugen und zu ändern',
  'Publishing to {environment}': 'In {environment} zu veröffentlichen',
  'No version yet. Save one in the builder.': 'Noch keine Version. Im Builder eine speichern.',

  'Unpublishing from {environment}': 'Aus {environment} zurückzuziehen',
  'This entry unpublished the workflow.': 'Dieser Eintrag zog die Veröffentlichung zurück.',
  '{environment} already runs this version.': 'In {environment} läuft diese Version bereits.',
  'ID is required.': 'ID ist erforderlich.',
  'Max. 63 characters; this has {count}.': 'Max. 63 Zeichen; dies sind {count}.',
  'Lowercase letters only.': 'Nur Kleinbuchstaben.',
  'Start with a letter or digit.': 'Mit einem Buchstaben oder einer Ziffer beginnen.',
  'Lowercase letters, digits and hyphens only.': 'Nur Kleinbuchstaben, Ziffern und Bindestriche.',
  'Publish {before} again, the previous version here': '{before} wieder veröffentlichen, die vorige Version hier',
  'Roll back {environment}': '{environment} zurücksetzen',

  'No API key has access. Create one under {keys}.': 'Kein API-Schlüssel hat Zugriff. Einen unter {keys} erzeugen.',
  '{count} API keys have access: {names}':
    '{count} API-Schlüssel hat Zugriff: {names}|{count} API-Schlüssel haben Zugriff: {names}',
  'Roll back to {short} from {current}': 'Von {current} auf {short} zurücksetzen',
  'Applies from the next call on. Calls in progress finish on the version they started with.':
    'Gilt ab dem nächsten Aufruf. Laufende Aufrufe enden auf der Version, mit der sie begannen.',
  'Undo publication': 'Veröffentlichung rückgängig machen',
  '{left} s left': 'Noch {left} s',
  'Publication of {short} undone': 'Veröffentlichung von {short} rückgängig gemacht',

  '{environment} is unpublished again.': '{environment} ist wieder ohne Veröffentlichung.',
  '{environment} runs {before} again.': '{environment} führt wieder {before} aus.',
  'Could not undo the publication': 'Die Veröffentlichung konnte nicht rückgängig gemacht werden',
};
