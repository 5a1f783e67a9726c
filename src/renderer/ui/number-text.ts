import { currentLocale } from '../../lib/language.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** `40,213` and `3.25` as the reader's language writes them; `digits` behind the point, always so many. */
export function formatNumber(value: number, digits = 0): string {
  const key = `${currentLocale()} ${digits}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.NumberFormat(currentLocale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(key, found);
  }
  return found.format(value);
}

/** `0.0333` with so many digits that count. */
export const formatSignificant = (value: number, digits: number): string =>
  new Intl.NumberFormat(currentLocale(), { minimumSignificantDigits: digits, maximumSignificantDigits: digits }).format(
    value,
  );

/** `0.05`, `1.5`, `40,213`: as few digits as a round number has. */
export const formatRound = (value: number): string =>
  Number.isInteger(value)
    ? formatNumber(value)
    : new Intl.NumberFormat(currentLocale(), { maximumSignificantDigits: 3 }).format(value);

/** `26%` of a share of one, as the reader's language writes it (German with a space); `most` and `least` digits behind the point. */
export function formatShare(share: number, most = 0, least = most): string {
  const key = `${currentLocale()} ${most} ${least} %`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.NumberFormat(currentLocale(), {
      style: 'percent',
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    });
    formats.set(key, found);
  }
  return found.format(share);
}

/** `97.5%` of a share from 0 to 1. Only the whole is 100%: what is nearly so stays below. */
export const formatPercent = (share: number): string => formatShare(share < 1 ? Math.min(share, 0.999) : 1, 1, 0);
