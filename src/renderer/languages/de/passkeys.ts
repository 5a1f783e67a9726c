import type { Catalogue } from '../../../lib/language.ts';

export const passkeys: Catalogue = {
  Passkeys: 'Passkeys',
  Passkey: 'Passkey',
  'Passkey on {system}': 'Passkey auf {system}',
  'Sign in with a passkey': 'Mit einem Passkey anmelden',
  'Passkeys of this master are for another of its addresses.':
    'Passkeys dieses Masters gelten für eine andere seiner Adressen.',
  'This browser has no passkeys, or not at this address.':
    'Dieser Browser kennt keine Passkeys, oder nicht unter dieser Adresse.',
  'Make a passkey instead of a password': 'Einen Passkey statt eines Passworts einrichten',
  'This device or security key has a passkey of yours already.':
    'Auf diesem Gerät oder Sicherheitsschlüssel liegt schon ein Passkey dieses Kontos.',
  'This security key cannot check who holds it, or keep passkeys. Set a PIN for it, or take another.':
    'Dieser Sicherheitsschlüssel kann nicht prüfen, wer ihn hat, oder keine Passkeys speichern. Eine PIN dafür festlegen oder einen anderen nehmen.',
  'It was cancelled, took too long, or there is no passkey for this address here.':
    'Abgebrochen, zu lange gewartet, oder hier gibt es keinen Passkey für diese Adresse.',
  'Works at {host} only': 'Gilt nur für {host}',
  'It works at {host} only.': 'Er gilt nur für {host}.',
  'Could not load passkeys': 'Die Passkeys konnten nicht geladen werden',
  'Its counter went back: a copy of it was used. It opens nothing any longer. Remove it, and look at the audit log.':
    'Sein Zähler ging zurück: Eine Kopie wurde benutzt. Er öffnet nichts mehr. Entfernen und das Audit-Log ansehen.',
  'Copied, blocked': 'Kopiert, gesperrt',
  'Active, synced': 'Aktiv, synchron',
  'Remove passkey “{name}”?': 'Passkey „{name}“ entfernen?',
  'Remove passkey “{name}” of {person}?': 'Passkey „{name}“ von {person} entfernen?',
  'Remove 1 passkey': '1 Passkey entfernen',
  'It opens nothing any longer, and your other sessions end. Delete it on the device, too: browsers go on offering it.':
    'Er öffnet nichts mehr, und die anderen Sitzungen enden. Auch auf dem Gerät löschen: Browser bieten ihn sonst weiter an.',
  'It opens nothing any longer, and all sessions of {person} end. Their tokens go on.':
    'Er öffnet nichts mehr, und alle Sitzungen von {person} enden. Die Tokens gelten weiter.',
  'Passkey removed': 'Passkey entfernt',
  'Passkey removed; your other sessions have ended': 'Passkey entfernt; die anderen Sitzungen sind beendet',
  'Passkey added': 'Passkey hinzugefügt',
  'Add a passkey': 'Passkey hinzufügen',
  'Rename passkey': 'Passkey umbenennen',
  'Rename {name}': '{name} umbenennen',
  'With a passkey you sign in by fingerprint, face, or the PIN of a device or security key.':
    'Mit einem Passkey genügt zur Anmeldung Fingerabdruck, Gesicht oder PIN eines Geräts oder Sicherheitsschlüssels.',
  'Sign in by name to add one: you came in with a token.':
    'Zum Hinzufügen mit Namen anmelden: Diese Sitzung kam durch ein Token zustande.',
  'Passkeys do not work at an IP address. Open this master by its name, or as localhost.':
    'Passkeys funktionieren nicht unter einer IP-Adresse. Diesen Master unter seinem Namen oder als localhost öffnen.',
  'Passkeys need https. Ask an administrator to set up TLS.':
    'Passkeys brauchen https. Die Verwaltung bitten, TLS einzurichten.',
  'This master does not know its own name. Ask an administrator to set it with --allowed-hosts.':
    'Dieser Master kennt seinen Namen nicht. Die Verwaltung bitten, ihn mit --allowed-hosts anzugeben.',
  'This browser has no passkeys. The desktop app has none either.':
    'Dieser Browser kennt keine Passkeys. Auch die Desktop-App hat keine.',
  'You have {n} passkeys, and no more are allowed.': 'Schon {n} Passkeys; mehr sind nicht erlaubt.',
  'Confirm with a passkey': 'Mit einem Passkey bestätigen',
  'To tell it from others, such as where it is kept': 'Zur Unterscheidung, etwa wo er liegt',
  'To be sure that it is you': 'Zur Bestätigung der Person',
  'The browser asks twice: for a passkey that you have, to be sure that it is you, and for the new one.':
    'Der Browser fragt zweimal: nach einem vorhandenen Passkey zur Bestätigung der Person, und nach dem neuen.',
};
