import type { FailureGroup } from '../../../contract/failures.ts';
import { Fault } from '../../../lib/fault.ts';
import type { AuditNote } from '../../access/port.ts';
import type { Store } from '../../store/port.ts';
import { findGroup } from './groups.ts';
import { type Decision, DECISIONS } from './port.ts';

const DECIDE = 'UPDATE failure_group SET status = ?, decided_at = ?, decided_by = ? WHERE id = ?';

/** Sets what people decided about a group, with its entry in the audit. Deciding the same again changes nothing. Throws FAILURE_NOT_FOUND. */
export function decide(
  store: Store,
  id: string,
  decision: Decision,
  actor: string,
  now: number,
  audit?: AuditNote,
): Promise<FailureGroup> {
  return store.write((db) => {
    const before = findGroup(db, id);
    if (!before) throw new Fault('FAILURE_NOT_FOUND', `there is no failure group ${id.slice(0, 100)}`);
    const status = DECISIONS[decision];
    if (before.status === status) return before;
    db.statement(DECIDE).run(status, status === 'OPEN' ? null : now, status === 'OPEN' ? null : actor, id);
    audit?.(db, {
      action: `failure.${decision}`,
      target: `failure:${id}`,
      before: { status: before.status },
      after: { status },
    });
    return findGroup(db, id) ?? before;
  });
}
