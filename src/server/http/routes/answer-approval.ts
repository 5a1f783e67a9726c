import { createHash } from 'node:crypto';
import type { WaitSubject } from '../../../contract/approvals.ts';
import { Fault, invalidAt } from '../../../lib/fault.ts';
import { grantCovers } from '../../../lib/grant-covers.ts';
import { JsonSource, jsonTextOf, packTexts } from '../../../lib/packed-inputs.ts';
import { workflowIdForDraft } from '../../../contract/draft-ids.ts';
import type { Identity } from '../../access/port.ts';
import type { Sender, WaitDecision } from '../../jobs/port.ts';
import type { App } from '../core/route.ts';

/** Why somebody is none of the approvers of a wait; null: they are one, or it names none. */
export function whyNotApprover(
  { services, scope }: Pick<App, 'services' | 'scope'>,
  identity: Identity,
  { approvers, workflowId, environment, jobId }: WaitSubject,
): string | null {
  if (!services.access.policy.mayAnywhere(identity, 'jobs.operate')) return 'it takes the action jobs.operate';
  const project = services.workflows.projectOf(workflowIdForDraft(workflowId));
  const place = project === null ? null : { project, environment };
  if (identity.grants !== null && !scope.inAll(identity, 'jobs.operate', [[workflowId, environment]]))
    return 'it takes the action jobs.operate where the job runs';
  if (approvers === null) return null;
  const { people } = approvers;
  const isNear = people.some((name) => name === identity.actor || name === identity.userId);
  const savedAt = isNear ? (services.workflows.savedAt(jobId) ?? 0) : 0;
  if (isNear && people.some((name) => services.access.users.isNamed(identity, name, savedAt))) return null;
  const roles =
    identity.grants === null
      ? [identity.role]
      : identity.grants.filter((grant) => grantCovers(grant, 'jobs.operate', place)).map(({ role }) => role);
  if (roles.some((role) => approvers.roles.includes(role))) return null;
  if (isNear)
    return `${identity.actor} is another account than the one that had this name when the workflow was saved: save the workflow again to name this one`;
  return `only ${[...approvers.roles.map((role) => `role ${role}`), ...approvers.people].join(', ')} may decide`;
}

/** Throws FORBIDDEN. */
export function mustApprove(app: Pick<App, 'services' | 'scope'>, identity: Identity, wait: WaitSubject): void {
  const why = whyNotApprover(app, identity, wait);
  if (why !== null)
    throw new Fault('FORBIDDEN', `${identity.actor} may not decide what job ${wait.jobId} waits for: ${why}`);
}

/** Checks what was filled in, decides, and lets the task go on. Throws INPUT_INVALID, ALREADY_DECIDED, and VALIDATION_FAILED for a form where there is none. */
export async function answerApproval(
  { services }: Pick<App, 'services'>,
  id: string,
  wait: WaitSubject,
  { form, ...decision }: WaitDecision,
  by: Sender,
): Promise<void> {
  if (wait.form === null && form !== null) throw invalidAt('/form', 'this request has no form');
  // Who rejects need not fill it in.
  const counts = wait.form !== null && decision.decision === 'approve';
  if (counts) await checkForm(services, wait.form, form ?? 'null');
  await services.jobs.waits.decide(id, { ...decision, form: counts ? form : null }, by);
}

async function checkForm({ offload }: App['services'], schema: unknown, form: string): Promise<void> {
  const text = jsonTextOf(schema);
  // The thread keeps compiled schemas by this name.
  const commit = `form:${createHash('sha256').update(text).digest('hex')}`;
  try {
    await offload.call('inputs', {
      inputs: packTexts([jsonTextOf(new JsonSource(form))]),
      schema: { commit, schema: text },
    });
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'INPUT_INVALID') throw error;
    const errors = (error.errors ?? []).map(({ pointer, message }) => ({
      pointer: `/form${pointer.replace(/^\/inputs/, '').replace(/^\/0/, '')}`,
      message,
    }));
    const [first] = errors;
    throw new Fault(
      'INPUT_INVALID',
      `the form is not filled in as its schema says${first ? `: ${first.pointer} ${first.message}` : ''}`,
      {
        errors,
      },
    );
  }
}
