import type { Catalogue } from '../../../lib/language.ts';

export const people: Catalogue = {
  People: 'Personen',
  'Let people sign in by name': 'Personen mit Namen anmelden lassen',
  'Could not load people': 'Personen konnten nicht geladen werden',
  'People sign in by name; service accounts have tokens. A token or session ends with its account.':
    'Personen melden sich mit Namen an; Dienstkonten haben Tokens. Tokens und Sitzungen enden mit ihrem Konto.',
  'New account': 'Neues Konto',
  'No people yet': 'Noch keine Personen',
  'Until there are accounts, everyone signs in with a token. The first account changes nothing for tokens.':
    'Solange es keine Konten gibt, erfolgt die Anmeldung mit einem Token. Tokens gelten auch nach dem ersten Konto weiter.',
  'Use letters, digits and . _ @ + -, and a letter or digit first.':
    'Buchstaben, Ziffern und . _ @ + - verwenden, am Anfang einen Buchstaben oder eine Ziffer.',
  'Service account created': 'Dienstkonto angelegt',
  'It has no token yet: create one with the key in its row.':
    'Es hat noch kein Token: eines mit dem Schlüssel in seiner Zeile erstellen.',
  'Enter an email address.': 'Eine E-Mail-Adresse eingeben.',
  'Disable {name}?': '{name} sperren?',
  'Disable 1 account': '1 Konto sperren',
  'Delete {name} for good?': '{name} endgültig löschen?',
  'Delete {name} for good': '{name} endgültig löschen',
  'Delete 1 account': '1 Konto löschen',
  'Its sessions, tokens and roles are deleted. Records and the audit log keep the name; API keys and worker tokens that they made go on.':
    'Seine Sitzungen, Tokens und Rollen werden gelöscht. Aufzeichnungen und das Audit-Log behalten den Namen; API-Schlüssel und Worker-Tokens, die das Konto erstellt hat, gelten weiter.',
  'While the sign-in provider lets them in, their next sign-in makes a new account with the roles of their groups: keep this one disabled to keep them out.':
    'Solange der Anmeldedienst die Person einlässt, entsteht bei ihrer nächsten Anmeldung ein neues Konto mit den Rollen ihrer Gruppen. Wer sie fernhalten will, lässt dieses gesperrt.',
  'Account deleted': 'Konto gelöscht',
  Given: 'Vergeben',
  'by {name}': 'von {name}',
  'All sessions and tokens of this account end immediately. Enabling it again brings none of them back.':
    'Alle Sitzungen und Tokens dieses Kontos enden sofort. Auch nach dem Entsperren gelten sie nicht wieder.',
  'Account disabled': 'Konto gesperrt',
  'Enable {name}?': '{name} entsperren?',
  'Enable 1 account': '1 Konto entsperren',
  'They can sign in again, with the roles that they had.':
    'Die Anmeldung ist wieder möglich, mit den bisherigen Rollen.',
  'Reset the password of {name}?': 'Passwort von {name} zurücksetzen?',
  'Make a one-time password': 'Einmalpasswort erzeugen',
  'Their sessions and tokens end, and their passkeys are removed. The one-time password has to be changed at the next sign-in.':
    'Die Sitzungen und Token enden, die Passkeys werden entfernt. Das Einmalpasswort muss bei der nächsten Anmeldung geändert werden.',
  'One-time password': 'Einmalpasswort',
  'Create a token for {name}?': 'Token für {name} erzeugen?',
  'The token may do all that the service account may, and ends with it.':
    'Das Token darf alles, was das Dienstkonto darf, und endet mit ihm.',
  'Create a token for {name}': 'Token für {name} erzeugen',
  'Reset the password of {name}': 'Passwort von {name} zurücksetzen',
  'Disable {name}': '{name} sperren',
  'Enable {name}': '{name} entsperren',
  Disabled: 'Gesperrt',
  'Service account': 'Dienstkonto',
  'Role everywhere': 'Rolle überall',
  'no access yet': 'noch kein Zugang',
  'Last sign-in': 'Letzte Anmeldung',
  'Create account': 'Konto anlegen',
  Kind: 'Art',
  Person: 'Person',
  'Letters, digits and . _ @ + -': 'Buchstaben, Ziffern und . _ @ + -',
  'Full name': 'Voller Name',
  'You are {name}': 'Angemeldet als {name}',
  'Change password': 'Passwort ändern',
  'Revoke what {name} made?': 'Widerrufen, was {name} erzeugt hat?',
  'Revoke them': 'Widerrufen',
  'Revoke them…': 'Widerrufen…',
  'API keys and worker tokens that they made go on: {names}':
    'Erzeugte API-Schlüssel und Worker-Tokens gelten weiter: {names}',
  'What uses them stops.': 'Was sie benutzt, hört auf.',
  'Also revoke my tokens': 'Auch meine Tokens widerrufen',
  'Do this if somebody else may know your password.': 'Sinnvoll, wenn jemand anders das Passwort kennen könnte.',
  'Password changed; your other sessions have ended': 'Passwort geändert; die anderen Sitzungen sind beendet',
  'Current password': 'Bisheriges Passwort',
  'New password': 'Neues Passwort',
  'Sign-in name': 'Anmeldename',
  'This was a one-time password. Choose one of your own, such as some words in a row.':
    'Das war ein Einmalpasswort. Ein eigenes wählen, zum Beispiel einige Wörter hintereinander.',
  'Sign in with {name}': 'Anmelden mit {name}',
  'Use a token instead': 'Stattdessen ein Token verwenden',
  'No access yet': 'Noch kein Zugang',
  'No access yet · Yardmaster': 'Noch kein Zugang · Yardmaster',
  'You are signed in as {name}, and nobody has given you a role yet. Ask an administrator of this master to grant you one, then try again.':
    'Angemeldet als {name}, aber noch ohne Rolle. Die Verwaltung dieses Masters um eine bitten, dann erneut versuchen.',
  'The sign-in provider does not answer. Try again in a moment; if it lasts, tell an administrator. Passwords and tokens of this master still work.':
    'Der Anmeldedienst antwortet nicht. Gleich noch einmal versuchen; hält es an, der Verwaltung melden. Passwörter und Tokens dieses Masters gelten weiter.',
  'The answer of the sign-in provider does not fit. An administrator finds the reason in the log of the master: often the client, its secret or the redirect URI are registered otherwise.':
    'Die Antwort des Anmeldedienstes passt nicht. Der Grund steht im Log des Masters: Oft sind Client, Geheimnis oder Rückkehradresse anders eingetragen.',
  'The clocks of the master and of the sign-in provider differ. An administrator has to set them.':
    'Die Uhren des Masters und des Anmeldedienstes weichen voneinander ab. Die Verwaltung muss sie stellen.',
  'This sign-in took too long, was used already, or began in another browser. Sign in again.':
    'Diese Anmeldung dauerte zu lange, wurde schon benutzt oder begann in einem anderen Browser. Erneut anmelden.',
  'The sign-in provider refused, or you cancelled there.':
    'Der Anmeldedienst hat abgelehnt, oder die Anmeldung wurde dort abgebrochen.',
  'This account may not sign in here. Ask an administrator to let you in.':
    'Dieses Konto darf sich hier nicht anmelden. Die Verwaltung um Zugang bitten.',
  'Too many sign-ins failed from here. Wait some minutes.':
    'Zu viele fehlgeschlagene Anmeldungen von hier. Einige Minuten warten.',
  'There are as many people as this master allows. Ask an administrator.':
    'Es gibt so viele Personen, wie dieser Master zulässt. An die Verwaltung wenden.',
  'Sign in a program': 'Ein Programm anmelden',
  'Code that the program shows': 'Code, den das Programm zeigt',
  'Look it up': 'Nachsehen',
  'The program is signed in as you. You can close this page.':
    'Das Programm ist angemeldet und handelt im eigenen Namen. Diese Seite kann geschlossen werden.',
  'Denied. The program gets nothing.': 'Abgelehnt. Das Programm erhält nichts.',
  'Allow it only if you began this yourself a moment ago and the program shows the same code. Whoever sent you a link or a code here would get all that you may do.':
    'Nur erlauben, wenn dies gerade selbst begonnen wurde und das Programm denselben Code zeigt. Wer einen Link oder Code hierher geschickt hat, dürfte danach alles, was dieses Konto darf.',
  'Program, as it calls itself': 'Programm, wie es sich nennt',
  Address: 'Adresse',
  Asked: 'Angefragt',
  'The command line or the app on another machine shows it when it signs in.':
    'Die Kommandozeile oder die App auf einem anderen Rechner zeigt ihn beim Anmelden.',
  Allow: 'Erlauben',
  Deny: 'Ablehnen',
  'Sign in with the browser': 'Mit dem Browser anmelden',
  'Signed in: save the connection.': 'Angemeldet: die Verbindung speichern.',
  'Confirm the code {code} in the browser.': 'Den Code {code} im Browser erlauben.',
  'Instead of a token, where people sign in by name': 'Statt eines Tokens, wo Personen sich mit Namen anmelden',
};
