import { Fault } from '../../lib/fault.ts';
import type { WriteHandle } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import { publishOf, purposeOf, settingsOf, type ApprovalRow } from './approval-rows.ts';
import type { ApprovalsDeps } from './approvals.ts';

interface Decision {
  /** The version that whoever decides expects to be published. */
  readonly expected: string | null | undefined;
  readonly approvedBy: string;
  /** Ends the request in the transaction of the change; what it returns refuses it. `operationId`: what was begun. */
  end(db: WriteHandle, operationId?: string): Fault | null;
}

/** Makes the change that was approved, in the name of who asked for it. */
export const createApply =
  ({
    overrides,
    workflows,
    operations,
    audit,
  }: Pick<ApprovalsDeps, 'overrides' | 'workflows' | 'operations' | 'audit'>) =>
  async (row: ApprovalRow, { expected, approvedBy, end }: Decision): Promise<void> => {
    const requester: Actor = { name: row.requested_by, role: null, address: null };
    const subject = publishOf(row);
    const purpose = purposeOf(row);
    const changed = settingsOf(row);
    const first = (db: WriteHandle) => end(db);
    if (changed) {
      const current = overrides.inForce(Object.keys(changed.changes));
      if (JSON.stringify(current) !== JSON.stringify(changed.current))
        throw new Fault('SETTINGS_MOVED', 'the settings were changed since this was asked for: ask for it again', {
          extra: { current },
        });
      await overrides.patch(changed.changes, requester, first);
    } else if (subject) {
      const { workflowId, environment, hash, current, description } = subject;
      const from = expected === undefined ? current : expected;
      if (hash === null)
        await workflows.unpublish(
          workflowId,
          environment,
          { ...(from === null ? {} : { expected: from }), approvedBy },
          requester,
          first,
        );
      else {
        const input = {
          hash,
          expected: from,
          approvedBy,
          ...(description === null ? {} : { description }),
        };
        await workflows.publish(workflowId, environment, input, requester, first);
      }
    } else if (purpose && row.snapshot !== null) {
      await operations.submit(
        { target: { snapshot: row.snapshot, held: true }, ...purpose },
        row.requested_by,
        (db, item) => {
          const operationId = item.target.slice('operation:'.length);
          const refused = end(db, operationId);
          if (refused) throw refused;
          audit.record(db, requester, item);
        },
      );
    }
  };
