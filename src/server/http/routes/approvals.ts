import type { Approval } from '../../../contract/approvals.ts';
import { Fault, invalidAt } from '../../../lib/fault.ts';
import type { Identity } from '../../access/port.ts';
import { jsonTextOf } from '../../../lib/packed-inputs.ts';
import { adminAlone } from './admin-alone.ts';
import { answerApproval, mustApprove, whyNotApprover } from './answer-approval.ts';
import { makeLink } from './make-link.ts';
import { route, type App } from '../core/route.ts';
import { mayPublish } from './workflows.ts';

/** What a second person has to agree to. Whoever sees the workflow sees requests to publish it; bulk operations are shown to those who may start them. */
export function approvalRoutes(app: App): void {
  const { access, approvals } = app.services;
  const { scope } = app;
  const seesBulk = (who: Identity) => who.grants === null || access.policy.may(who, 'jobs.operate', null);
  const shownTo = (identity: Identity) => {
    const who = access.principal(identity);
    return (approval: Approval): Approval => ({
      ...approval,
      mine: approvals.isOf(approval.id, who),
      ...(approval.wait && { mayDecide: whyNotApprover(app, identity, approval.wait) === null }),
    });
  };

  /** Throws APPROVAL_NOT_FOUND, also for one that must not be seen. */
  function visible(identity: Identity, id: string): Approval {
    const approval = approvals.get(id);
    const { publish, wait } = approval;
    const of = publish ?? wait;
    if (
      of
        ? scope.sees(identity, 'workflows.read', of.workflowId)
        : seesBulk(identity) || approvals.isOf(id, access.principal(identity))
    )
      return approval;
    throw new Fault('APPROVAL_NOT_FOUND', `approval request ${id} not found`);
  }
  /** Whoever decides, or takes back, must be one who may ask for it. */
  function decidable(identity: Identity, id: string): void {
    const { publish, settings, wait } = visible(identity, id);
    if (wait) mustApprove(app, identity, wait);
    else if (settings) adminAlone(identity, 'decides about what takes a second person');
    else if (publish) mayPublish(app, identity, { id: publish.workflowId, environment: publish.environment });
    // Who retries a failure group of one project may take that back.
    else if (!approvals.isOf(id, access.principal(identity))) scope.everywhere(identity, 'jobs.operate');
  }

  route(app, 'approvals.list', ({ query, identity }) => {
    const found = approvals.list(query, {
      workflows: scope.within(identity, 'workflows.read'),
      bulk: seesBulk(identity),
    });
    return { ...found, items: found.items.map(shownTo(identity)) };
  });
  route(app, 'approvals.get', ({ params, identity }) => shownTo(identity)(visible(identity, params.id)));
  route(app, 'approvals.jobs', ({ params, query, identity }) => {
    visible(identity, params.id);
    return approvals.jobs(params.id, query);
  });
  route(app, 'approvals.decide', async ({ params, body, lossless, identity, actor }) => {
    const { decision, comment = null, form = null, override = false, ...rest } = body;
    decidable(identity, params.id);
    const { wait } = approvals.get(params.id);
    if (wait) {
      for (const name of ['override', 'expected'] as const)
        if (body[name] !== undefined) throw invalidAt(`/${name}`, `${name} is not for what a job waits for`);
      const filled = { decision, comment, form: form === null ? null : jsonTextOf(lossless.form) };
      await answerApproval(app, params.id, wait, filled, { name: actor.name, audit: access.audit.entry(actor) });
      return shownTo(identity)(approvals.get(params.id));
    }
    if (form !== null) throw invalidAt('/form', 'this kind of request has no form');
    if (override) adminAlone(identity, 'approves alone');
    const by = { principal: access.principal(identity), actor };
    return shownTo(identity)(await approvals.decide(params.id, { decision, comment, override, ...rest }, by));
  });
  route(app, 'approvals.link', async ({ params, body, identity, actor, request }) => {
    const { wait, status } = visible(identity, params.id);
    if (!wait) throw new Fault('APPROVAL_NOT_FOUND', `approval request ${params.id} is not of a job: it has no links`);
    mustApprove(app, identity, wait);
    if (status !== 'open')
      throw new Fault('ALREADY_DECIDED', `approval request ${params.id} is already ${status}`, {
        extra: { decision: status },
      });
    return makeLink(app, { kind: 'approval', approvalId: params.id }, body, { actor, request });
  });
  route(app, 'approvals.withdraw', async ({ params, identity, actor }) => {
    decidable(identity, params.id);
    return shownTo(identity)(await approvals.withdraw(params.id, { principal: access.principal(identity), actor }));
  });
}
