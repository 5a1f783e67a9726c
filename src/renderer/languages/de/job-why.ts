import type { Catalogue } from '../../../lib/language.ts';

export const jobWhy: Catalogue = {
  'Could not find out why it is not running': 'Warum er nicht läuft, ließ sich nicht ermitteln',
  'Why is it not running?': 'Warum läuft er nicht?',
  'Queue position': 'Position in der Queue',
  '{used} of {total}, {accepting} of {workers} workers accept tasks':
    '{used} von {total}, {accepting} von {workers} Workern nehmen Tasks an',
  'Handler {name}': 'Handler {name}',
  'not registered by any worker': 'von keinem Worker registriert',
  'Limit of the {scope}': 'Limit: {scope}',
  '{used} of {most} ({name})': '{used} von {most} ({name})',
  'Next attempt in': 'Nächster Versuch in',
  'Times out in': 'Timeout in',
  'Waiting for': 'Wartet auf',
  'View workers': 'Worker ansehen',
  'View workers and handlers': 'Worker und Handler ansehen',
  'Next of {total}': 'Nächster von {total}',
  'Next attempt in {left}': 'Nächster Versuch in {left}',
  'Times out in {left}': 'Timeout in {left}',
  'View task': 'Task ansehen',
  '{position} of {total}': '{position} von {total}',
  '{minutes} min {seconds} s': '{minutes} min {seconds} s',
  '{hours} h {minutes} min': '{hours} h {minutes} min',
  Signal: 'Signal',
  Approval: 'Freigabe',
  'Open the request': 'Anfrage öffnen',
  'Signal sent': 'Signal gesendet',
  'Send signal…': 'Signal senden…',
  'Send signal {name}': 'Signal {name} senden',
  'The task goes on with the payload as signal.payload of its output.':
    'Der Task läuft weiter; die Nutzdaten stehen als signal.payload in seiner Ausgabe.',
  Payload: 'Nutzdaten',
  'Any JSON value; empty: null': 'Beliebiger JSON-Wert; leer: null',
  'Line {line}: {message}': 'Zeile {line}: {message}',
  'The task waits for a time. It uses no worker slot.':
    'Der Task wartet auf einen Zeitpunkt. Er belegt keinen Worker-Slot.',
  'The task waits for a signal. It uses no worker slot.':
    'Der Task wartet auf ein Signal. Er belegt keinen Worker-Slot.',
  'The task waits until a person approves or rejects. It uses no worker slot.':
    'Der Task wartet, bis eine Person freigibt oder ablehnt. Er belegt keinen Worker-Slot.',
};
