import type { ApiKey } from '../../../../contract/access.ts';
import { t } from '../../../../lib/language.ts';

/** Keys that reach a workflow: those named for it, and those for all. */
export const reachesWorkflow = (key: Pick<ApiKey, 'workflows'>, workflowId: string): boolean =>
  key.workflows.includes('*') || key.workflows.includes(workflowId);

export type KeyStatus = 'live' | 'expired' | 'revoked';

/** `now`: milliseconds since the epoch. */
export function keyStatus(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: number): KeyStatus {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= now ? 'expired' : 'live';
}

export const EXPIRIES = [
  { value: 'never', label: t('Never'), days: null },
  { value: '1', label: t('In a day'), days: 1 },
  { value: '30', label: t('In 30 days'), days: 30 },
  { value: '90', label: t('In 90 days'), days: 90 },
  { value: '365', label: t('In a year'), days: 365 },
] as const;
export type Expiry = (typeof EXPIRIES)[number]['value'];

/** The instant a key made now expires at, or null for never. */
export function expiryInstant(choice: Expiry, now: number): string | null {
  const days = EXPIRIES.find((one) => one.value === choice)?.days ?? null;
  return days === null ? null : new Date(now + days * 86_400_000).toISOString();
}

export const OVERLAPS = [
  { value: '0', label: t('Stops working immediately') },
  { value: '3600', label: t('Works for 1 more hour') },
  { value: '86400', label: t('Works for 1 more day') },
  { value: '604800', label: t('Works for 1 more week') },
] as const;
