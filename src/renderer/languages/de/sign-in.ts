import type { Catalogue } from '../../../lib/language.ts';

export const signIn: Catalogue = {
  'Sign in · Yardmaster': 'Anmelden · Yardmaster',
  'Sign in to Yardmaster': 'Bei Yardmaster anmelden',
  'You were signed out: the token was revoked or has expired.':
    'Abgemeldet: Das Token wurde widerrufen oder ist abgelaufen.',
  'A token for {host} with role viewer, operator or admin':
    'Ein Token für {host} mit der Rolle viewer, operator oder admin',
  'Sign in': 'Anmelden',
  "The master prints a sign-in link when it starts. It signs you in once, without a token. If the link is lost or used, create a token on the master's machine and paste it here:":
    'Der Master gibt beim Start einen Anmeldelink aus. Er meldet einmalig ohne Token an. Ist er verloren oder verbraucht, auf dem Rechner des Masters ein Token erzeugen und hier einfügen:',

  'To see which master runs there, with its URL and data folder:':
    'Welcher Master dort läuft, mit URL und Datenordner:',
  'Show the status': 'Status zeigen',
  'This master rejects the saved token: it was revoked or has expired. Switch to another connection, open its settings and enter a new token for this one.':
    'Dieser Master weist das gespeicherte Token ab: Es wurde widerrufen oder ist abgelaufen. Zu einer anderen Verbindung wechseln und in deren Einstellungen ein neues Token für diese eingeben.',
};
