/** Lifetimes that the forms offer; the value is days. */
export const LIFETIMES = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

/** ISO time of the end of a lifetime; null: none. */
export const expiryOf = (days: string, now: number): string | null => (days === '' ? null : new Date(now + Number(days) * 86_400_000).toISOString());
