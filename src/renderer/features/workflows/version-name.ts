import { t } from '../../../lib/language.ts';

/** A version as its callers know it; a master of an earlier release tells no numbers. */
export interface NamedVersion {
  readonly hash: string;
  readonly number?: number | null | undefined;
}

/** A version within a sentence: `v12 (1f3a9c04)`, or the hash alone where its number is not known. */
export function versionName({ hash, number }: NamedVersion): string {
  const short = hash.slice(0, 8);
  return typeof number === 'number' ? t('v{number} ({hash})', { number, hash: short }) : short;
}
