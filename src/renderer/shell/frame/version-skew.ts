import type { Skew } from '../../../contract/desktop.ts';
import { t } from '../../../lib/language.ts';

/** What a master of another version means for this app; null: nothing. */
export function skewText(skew: Skew | null | undefined): string | null {
  if (skew === 'older') return t('This master is older than the app: what is new in the app may be missing there.');
  if (skew === 'newer') return t('This master is newer than the app: take a newer app to see what is new there.');
  if (skew === 'unsafe')
    return t('This master and this app speak different APIs: take an app of the same major version.');
  return null;
}
