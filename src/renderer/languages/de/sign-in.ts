import type { Catalogue } from '../../../lib/language.ts';

export const signIn: Catalogue = {
  'Sign in · Yardmaster': 'Anmelden · Yardmaster',
  'Sign in to Yardmaster': 'Bei Yardmaster anmelden',
  'You were signed out: the token was revoked or has expired.':
    'Abgemeldet: Das Token wurde widerrufen oder ist abgelaufen.',
  'A token of role viewer, operator or admin of {host}': 'Ein Token der Rolle viewer, operator oder admin von {host}',
  'Sign in': 'Anmelden',
  'The link that the master prints at its start signs you in without a token, once. Where it is lost or used, make a token on the machine of the master and paste it here:':
    'Der Link, den der Master beim Start ausgibt, meldet einmalig ohne Token an. Ist er verloren oder verbraucht, auf dem Rechner des Masters ein Token erzeugen und hier einfügen:',
  'A new token': 'Ein neues Token',
  'Which master runs there, with which address and data folder, is told by:':
    'Welcher Master dort läuft, mit welcher Adresse und welchem Datenordner, zeigt:',
  'What runs': 'Was läuft',
  'This master refuses the token that is kept for the connection. It may be revoked or expired. Give the connection a new one in the settings of another connection.':
    'Dieser Master weist das Token zurück, das für die Verbindung hinterlegt ist. Es ist vielleicht widerrufen oder abgelaufen. In den Einstellungen einer anderen Verbindung ein neues hinterlegen.',
};
