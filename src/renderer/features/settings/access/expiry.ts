import { t } from '../../../../lib/language.ts';
/** Lifetimes that the forms offer; the value is days. */
export const LIFETIMES = [
  { value: '', label: t('Never') },
  { value: '7', label: t('In 7 days') },
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days') },
  { value: '365', label: t('In a year') },
];

/** ISO time of the end of a lifetime; null: none. */
export const expiryDate = (days: string, now: number): string | null =>
  days === '' ? null : new Date(now + Number(days) * 86_400_000).toISOString();
