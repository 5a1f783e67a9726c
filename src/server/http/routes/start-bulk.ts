import type { BulkRequest, SnapshotTarget, Target } from '../../jobs/bulk/port.ts';
import { Fault } from '../../../lib/fault.ts';
import { JsonText, type Call } from '../core/route.ts';
import type { Services } from '../core/services.ts';

/** Starts a bulk operation, or asks for approval where it needs a second person; the answer says which. */
export async function startBulk(
  { access, approvals, jobs }: Pick<Services, 'access' | 'approvals' | 'jobs'>,
  request: BulkRequest<Target | SnapshotTarget>,
  { actor, identity, reply }: Pick<Call, 'actor' | 'identity' | 'reply'>,
): Promise<JsonText> {
  const asked = await approvals.requestBulk(request, { principal: access.principal(identity), actor });
  if ('approval' in asked) {
    reply.code(202).header('location', `/api/v1/approvals/${asked.approval.id}`);
    return new JsonText(JSON.stringify({ ...asked.approval, mine: true }));
  }
  const note = access.audit.entry(actor);
  const { operationId } = await jobs.operations.submit(asked.request, actor.name, (db, item) => {
    // It may have come to need one since it was asked.
    const { total } = item.after as { readonly total: number };
    if (approvals.isLarge(total))
      throw new Fault('SECOND_PERSON_NEEDED', `an operation over ${total} jobs needs approval now: ask for it again`);
    note(db, item);
  });
  reply.code(202).header('location', `/api/v1/operations/${operationId}`);
  return new JsonText(JSON.stringify({ operationId }));
}
