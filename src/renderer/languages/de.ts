import type { Catalogue } from '../../lib/language.ts';

export const de: Catalogue = {};
