import type { Catalogue } from '../../../lib/language.ts';

export const jobWhy: Catalogue = {
  'Why it does not run could not be told': 'Warum er nicht läuft, war nicht zu ermitteln',
  'Why is it not running?': 'Warum läuft er nicht?',
  'Place in the queue': 'Platz in der Warteschlange',
  '{used} of {total}, {accepting} of {workers} workers accept':
    '{used} von {total}, {accepting} von {workers} Workern nehmen an',
  'Handler {name}': 'Handler {name}',
  'no worker has it': 'kein Worker hat ihn',
  'Limit of the {scope}': 'Grenze: {scope}',
  '{used} of {most} ({name})': '{used} von {most} ({name})',
  'Next attempt in': 'Nächster Versuch in',
  'Gives up in': 'Gibt auf in',
  'Waits for': 'Wartet auf',
  'Look at the workers': 'Worker ansehen',
  'Look at the workers and their handlers': 'Worker und ihre Handler ansehen',
  'Next of {total}': 'Nächster von {total}',
  'Next attempt in {left}': 'Nächster Versuch in {left}',
  'Gives up in {left}': 'Gibt auf in {left}',
  'Look at the task': 'Task ansehen',
  '{position} of {total}': '{position} von {total}',
  '{minutes} min {seconds} s': '{minutes} min {seconds} s',
  '{hours} h {minutes} min': '{hours} h {minutes} min',
};
