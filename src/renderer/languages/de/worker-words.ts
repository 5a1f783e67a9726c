import type { Catalogue } from '../../../lib/language.ts';

export const workerWords: Catalogue = {
  ', {count} drained': ', {count} stillgelegt',
  ', all drained': ', alle stillgelegt',
  '{up} of {count} workers up': '{up} von {count} Worker in Betrieb|{up} von {count} Workern in Betrieb',
};
