import { Fault } from '../../lib/fault.ts';

/** When a credential that is made now ends; null: never. One that had ended before it began would help nobody. */
export function expiryOf(expiresAt: string | null | undefined, now: number): number | null {
  if (expiresAt === null || expiresAt === undefined) return null;
  const at = Date.parse(expiresAt);
  if (at <= now) throw new Fault('VALIDATION_FAILED', `expiresAt must be a time to come; ${expiresAt} has passed`, { errors: [{ pointer: '/expiresAt', message: 'must be a time to come' }] });
  return at;
}
