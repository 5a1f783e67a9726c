import { Fault } from '../../../lib/fault.ts';
import { roleEverywhere } from '../../../lib/role-everywhere.ts';
import type { Identity } from '../../access/port.ts';

/** Who manages people by a role of their own must not come to rights that way which they do not have. Throws FORBIDDEN. */
export function adminAlone(who: Identity, what: string): void {
  if (roleEverywhere(who) !== 'admin')
    throw new Fault('FORBIDDEN', `only an administrator of all projects ${what}; ${who.actor} is none`);
}
