import { tn } from '../../../lib/language.ts';
import type { JsonRow } from './doc.ts';

/** How much is in a branch. */
export const sizeText = ({ kind, size }: Pick<JsonRow, 'kind' | 'size'>): string =>
  kind === 'array' ? tn('{count} item', '{count} items', size) : tn('{count} key', '{count} keys', size);
