import { t } from '../../lib/language.ts';

export const WORKFLOW_ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** What is wrong with an id, or null. */
export function idFault(id: string): string | null {
  if (id === '') return t('ID is required.');
  if (id.length > 63) return t('Max. 63 characters; this has {count}.', { count: id.length });
  if (/[A-Z]/.test(id)) return t('Lowercase letters only.');
  if (id.startsWith('-')) return t('Start with a letter or digit.');
  return WORKFLOW_ID_PATTERN.test(id) ? null : t('Lowercase letters, digits and hyphens only.');
}

/** An id that follows from a name, for the form to offer. */
export const idFromName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '');
