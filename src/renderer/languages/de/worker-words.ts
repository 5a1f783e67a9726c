import type { Catalogue } from '../../../lib/language.ts';

export const workerWords: Catalogue = {
  ', {count} draining': ', {count} stillgelegt',
  ', all draining': ', alle stillgelegt',
  '{up} of {count} workers online': '{up} von {count} Worker online|{up} von {count} Workern online',
};
