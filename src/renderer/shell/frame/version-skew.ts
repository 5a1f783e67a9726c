import type { VersionSkew } from '../../../contract/desktop.ts';
import { t } from '../../../lib/language.ts';

/** What a master of another version means for this app; null: nothing. */
export function skewText(skew: VersionSkew | null | undefined): string | null {
  if (skew === 'older') return t('This master is older than the app. Newer features may be missing.');
  if (skew === 'newer') return t('This master is newer than the app. Update the app to see its new features.');
  if (skew === 'unsafe') return t('This master and this app use different APIs. Use an app of the same major version.');
  return null;
}
