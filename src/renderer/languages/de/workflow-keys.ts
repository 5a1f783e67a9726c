import type { Catalogue } from '../../../lib/language.ts';

export const workflowKeys: Catalogue = {
  'Who or what uses this key': 'Wer oder was verwendet den Schlüssel',
  Scope: 'Gilt für',
  'Only {workflowId}': 'Nur {workflowId}',

  'Select at least one.': 'Mindestens eine auswählen.',

  'Shown only once': 'Wird nur einmal angezeigt',
  'Copy the key now and store it safely. The master keeps only its hash: if you lose the key, create a new one.':
    'Den Schlüssel jetzt kopieren und sicher ablegen. Der Master behält nur den Hash: Geht der Schlüssel verloren, einen neuen erzeugen.',
  'Copy key': 'Schlüssel kopieren',
  'I have saved it': 'Ich habe ihn gespeichert',
  'New key': 'Neuer Schlüssel',
  'Callers send a key in the {code} header.': 'Aufrufer senden einen Schlüssel im Header {code}.',
  'api-key': 'api-key',
  '{totalItems} keys in total': '{totalItems} Schlüssel insgesamt',
  'Shown are the keys with access to this workflow among the latest {READ}. Settings lists all keys.':
    'Gezeigt sind die Schlüssel mit Zugriff auf diesen Workflow unter den neuesten {READ}. Die Einstellungen zeigen alle Schlüssel.',
  'Keys with access to {id}': 'Schlüssel mit Zugriff auf {id}',
  'Could not load keys': 'Schlüssel konnten nicht geladen werden',
  'No API key has access': 'Kein API-Schlüssel hat Zugriff',
  "Create a key to call this workflow's endpoint.":
    'Einen Schlüssel erzeugen, um den Endpunkt dieses Workflows aufzurufen.',
  'Key “{name}”': 'Schlüssel „{name}“',
  'Revoke “{name}”?': '„{name}“ widerrufen?',
  Revoke: 'Widerrufen',
  '“{name}” revoked': '„{name}“ widerrufen',
  'Calls with {code} get 401 API_KEY_INVALID from now on. This cannot be undone.':
    'Aufrufe mit {code} bekommen ab jetzt 401 API_KEY_INVALID. Das lässt sich nicht rückgängig machen.',
  'Its scope is all workflows, not only this one.': 'Er gilt für alle Workflows, nicht nur für diesen.',
  'Create a new secret for “{name}”?': 'Neues Geheimnis für „{name}“ erzeugen?',
  'Create new secret': 'Neues Geheimnis erzeugen',
  'New secret for “{name}”': 'Neues Geheimnis für „{name}“',
  'The key keeps its scope. The new secret is shown once.':
    'Der Schlüssel behält seinen Geltungsbereich. Das neue Geheimnis wird einmal angezeigt.',
  'Old secret': 'Altes Geheimnis',
  'The key is revoked.': 'Der Schlüssel ist widerrufen.',

  'This workflow': 'Dieser Workflow',
  '{count} workflows': '{count} Workflow|{count} Workflows',
  'Rotate {name}': '{name} rotieren',
  Rotate: 'Rotieren',
  'In a day': 'In einem Tag',
  'Stops working immediately': 'Sofort ungültig',
  'Works for 1 more hour': 'Gilt noch 1 Stunde',
  'Works for 1 more day': 'Gilt noch 1 Tag',
  'Works for 1 more week': 'Gilt noch 1 Woche',
};
