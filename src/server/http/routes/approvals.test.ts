import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../../contract/approvals.ts';
import type { Problem } from '../../../contract/errors.ts';
import type { Page } from '../../../contract/shapes.ts';
import { simple, startHarness, tester, type Harness } from '../../testing/http.fixture.ts';

let harness: Harness;
let first: string;
let second: string;
let now = Date.now();
/** Tokens of four people, of whom two are admins. */
const tokens = { ann: '', bob: '', viewer: '', helper: '' };

beforeEach(async () => {
  now = Date.now();
  harness = await startHarness({ clock: { now: () => now } });
  const { access, workflows } = harness.services;
  for (const [name, role] of [
    ['ann', 'admin'],
    ['bob', 'admin'],
    ['viewer', 'viewer'],
  ] as const)
    tokens[name] = (await access.tokens.create({ name, role }, tester)).token;
  tokens.helper = (await access.tokens.create({ name: 'helper', role: 'admin' }, { ...tester, name: 'ann' })).token;
  first = await harness.publish('flow');
  await workflows.publish('flow', 'prod', { hash: first }, tester);
  ({ hash: second } = await workflows.commit(
    'flow',
    { definition: { ...simple, name: 'Second' }, message: 'Second', parent: first },
    tester,
  ));
  await call('PATCH', '/api/v1/settings', { protectedEnvironments: { prod: { approvals: 1 } } });
});
afterEach(() => harness.close());

const call = async <T = Problem>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
  who = tokens.ann,
) => {
  const answer = await harness.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${who}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: (answer.body === '' ? null : answer.json()) as T };
};
const publish = (hash: string, who = tokens.ann, expected?: string) =>
  call<Approval>(
    'PUT',
    '/api/v1/workflows/flow/environments/prod',
    { hash, description: 'New', ...(expected ? { expected } : {}) },
    who,
  );
const decide = (id: string, body: object, who = tokens.bob) =>
  call<Approval & { code?: string }>('POST', `/api/v1/approvals/${id}`, body, who);
const live = () => {
  const endpoint = harness.services.workflows.endpoint('flow', 'prod');
  return endpoint.found === 'published' ? endpoint.runnable.commit : null;
};
/** As whoever has the machine. */
const asMachine = async (changes: object) => {
  await harness.services.access.tokens.ensure({ name: 'local', role: 'admin', secret: 'own-secret' });
  expect((await call('PATCH', '/api/v1/settings', changes, 'own-secret')).status).toBe(200);
};
const unprotect = () => asMachine({ protectedEnvironments: null });
const audited = async (action: string) =>
  (await harness.services.access.audit.list({ page: 0, size: 10, action })).items;

describe('publishing to a protected environment', () => {
  it('asks for approval, and publishes once another person approves', async () => {
    const asked = await publish(second);
    expect(asked).toMatchObject({
      status: 202,
      body: {
        kind: 'publish',
        status: 'open',
        publish: { workflowId: 'flow', environment: 'prod', hash: second, current: first, description: 'New' },
        requestedBy: 'ann',
        mine: true,
      },
    });
    expect(live()).toBe(first);
    expect(
      (await call<Page<Approval>>('GET', '/api/v1/approvals?status=open', undefined, tokens.bob)).body.items,
    ).toMatchObject([{ id: asked.body.id, mine: false }]);
    expect(await decide(asked.body.id, { decision: 'approve', comment: 'Good' })).toMatchObject({
      status: 200,
      body: { status: 'approved', decidedBy: 'bob', comment: 'Good', override: false },
    });
    expect(live()).toBe(second);
    expect(await audited('approval.approve')).toMatchObject([
      { actor: 'bob', after: { requestedBy: 'ann', decidedBy: 'bob', hash: second } },
    ]);
    expect(await decide(asked.body.id, { decision: 'reject' })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_DECIDED', status: 409 },
    });
    expect((await call<Page<Approval>>('GET', '/api/v1/approvals?status=open')).body.items).toEqual([]);
  });

  it('is decided by no one who asked for it, whatever token they come with', async () => {
    const { id } = (await publish(second)).body;
    for (const who of [tokens.ann, tokens.helper])
      for (const decision of ['approve', 'reject'])
        expect(await decide(id, { decision }, who)).toMatchObject({
          status: 403,
          body: { code: 'SECOND_PERSON_NEEDED' },
        });
    expect((await decide(id, { decision: 'approve' }, tokens.viewer)).body.code).toBe('FORBIDDEN');
    expect((await decide(id, { decision: 'approve' }, harness.tokens.operator)).body.code).toBe('FORBIDDEN');
    expect(live()).toBe(first);
    expect((await call<Approval>('POST', `/api/v1/approvals/${id}/withdraw`, undefined, tokens.bob)).status).toBe(403);
    expect(await call<Approval>('POST', `/api/v1/approvals/${id}/withdraw`)).toMatchObject({
      status: 200,
      body: { status: 'withdrawn' },
    });
    expect((await decide(id, { decision: 'approve' })).body.code).toBe('ALREADY_DECIDED');
  });

  it('is not decided by a service account, whose tokens anybody may hold', async () => {
    const { access } = harness.services;
    const { id: userId } = await access.users.create({ login: 'deploy', kind: 'service', role: 'admin' }, tester);
    const { token } = await access.tokens.create({ name: 'deploy', role: 'admin', userId }, tester);
    const { id } = (await publish(second)).body;
    for (const decision of ['approve', 'reject'])
      expect((await decide(id, { decision }, token)).body.code).toBe('SECOND_PERSON_NEEDED');
    expect(live()).toBe(first);
    const own = await publish(second, token);
    expect((await decide(own.body.id, { decision: 'approve' })).body.status).toBe('approved');
  });

  it('is not gone around by archiving the workflow', async () => {
    expect((await call('DELETE', '/api/v1/workflows/flow')).body.code).toBe('SECOND_PERSON_NEEDED');
    expect(live()).toBe(first);
    await unprotect();
    expect((await call('DELETE', '/api/v1/workflows/flow')).status).toBe(204);
  });

  it('is not gone around by what began before the environment was protected', async () => {
    const { workflows } = harness.services;
    for (const change of [
      workflows.publish('flow', 'prod', { hash: second }, tester),
      workflows.unpublish('flow', 'prod', {}, tester),
      workflows.archive('flow', tester),
    ])
      await expect(change).rejects.toMatchObject({ code: 'SECOND_PERSON_NEEDED' });
    expect(live()).toBe(first);
  });

  it('is not gone around by running a job again on a version that was never published there', async () => {
    const { jobId } = (
      await call<{ jobId: string }>('POST', '/api/v1/jobs', {
        workflowId: 'flow',
        environment: 'prod',
        inputs: [{ content: 'a' }],
      })
    ).body;
    const rerun = (commit: string | null) =>
      call('POST', `/api/v1/jobs/${jobId}/rerun`, commit === null ? {} : { commit });
    expect(await rerun(second)).toMatchObject({ status: 403, body: { code: 'SECOND_PERSON_NEEDED' } });
    expect((await rerun(second.slice(0, 8))).status).toBe(403);
    for (const commit of [null, 'published', first]) expect((await rerun(commit)).status).toBe(202);
    await decide((await publish(second)).body.id, { decision: 'approve' });
    expect((await rerun(second)).status).toBe(202);
  });

  it('that is rejected changes nothing', async () => {
    const { id } = (await publish(second)).body;
    expect((await decide(id, { decision: 'reject', comment: 'Not on Friday' })).body).toMatchObject({
      status: 'rejected',
      comment: 'Not on Friday',
    });
    expect(live()).toBe(first);
  });

  it('of two approvers at once publishes once, and tells the other', async () => {
    const { id } = (await publish(second)).body;
    const carol = (await harness.services.access.tokens.create({ name: 'carol', role: 'admin' }, tester)).token;
    const answers = await Promise.all([
      decide(id, { decision: 'approve' }),
      decide(id, { decision: 'approve' }, carol),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { items } = await harness.services.workflows.publications('flow', { page: 0, size: 10 });
    expect(items.filter(({ environment }) => environment === 'prod')).toHaveLength(2);
    expect(await audited('approval.approve')).toHaveLength(1);
  });

  it('asks to look again where the environment moved on meanwhile', async () => {
    const { id } = (await publish(second)).body;
    await unprotect();
    expect((await publish(second, tokens.bob)).status).toBe(200);
    await call('PATCH', '/api/v1/settings', { protectedEnvironments: { prod: { approvals: 1 } } });
    expect(await decide(id, { decision: 'approve' })).toMatchObject({
      status: 409,
      body: { code: 'ENVIRONMENT_MOVED', current: second },
    });
    expect((await call<Approval>('GET', `/api/v1/approvals/${id}`)).body.status).toBe('open');
    expect((await decide(id, { decision: 'approve', expected: second })).body.status).toBe('approved');
  });

  it('stays open where the protection is taken away meanwhile', async () => {
    const { id } = (await publish(second)).body;
    await call('PATCH', '/api/v1/settings', { protectedEnvironments: null });
    expect(live()).toBe(first);
    expect((await decide(id, { decision: 'approve' }, tokens.ann)).body.code).toBe('SECOND_PERSON_NEEDED');
    expect((await decide(id, { decision: 'approve' })).body.status).toBe('approved');
  });

  it('is approved alone by an admin with a reason, where the setting allows it', async () => {
    const { id } = (await publish(second)).body;
    const alone = { decision: 'approve', override: true, comment: 'Outage' };
    expect((await decide(id, alone, tokens.ann)).body.code).toBe('FORBIDDEN');
    await asMachine({ approvalOverride: true });
    expect((await decide(id, { decision: 'approve', override: true }, tokens.ann)).body.code).toBe('VALIDATION_FAILED');
    expect((await decide(id, alone, tokens.ann)).body).toMatchObject({ status: 'approved', override: true });
    expect((await audited('approval.approve')).slice(0, 1)).toMatchObject([
      { after: { override: true, requestedBy: 'ann', decidedBy: 'ann', comment: 'Outage' } },
    ]);
  });

  it('is not approved alone by who may change settings, but is no admin', async () => {
    const { access } = harness.services;
    await access.roles.set('keeper', { actions: ['settings.manage', 'publish.prod', 'workflows.read'] }, tester);
    const keeper = await access.users.create({ login: 'keeper' }, tester);
    await access.grants.create({ subjectKind: 'user', subject: keeper.id, role: 'keeper' }, tester);
    const { token } = await access.tokens.create({ name: 'own', role: 'admin', userId: keeper.id }, tester);
    await asMachine({ approvalOverride: true });
    const { id } = (await publish(second, token)).body;
    expect(await decide(id, { decision: 'approve', override: true, comment: 'Mine' }, token)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect(live()).toBe(first);
  });

  it('expires', async () => {
    const { id } = (await publish(second)).body;
    now += harness.services.limits.approvalSeconds * 1000;
    expect(await decide(id, { decision: 'approve' })).toMatchObject({
      status: 410,
      body: { code: 'APPROVAL_EXPIRED' },
    });
    expect(live()).toBe(first);
  });

  it('is asked for to unpublish as well', async () => {
    const asked = await call<Approval>('DELETE', '/api/v1/workflows/flow/environments/prod');
    expect(asked).toMatchObject({ status: 202, body: { publish: { hash: null, current: first } } });
    expect((await decide(asked.body.id, { decision: 'approve' })).status).toBe(200);
    expect(live()).toBe(null);
  });

  it('needs what publishing needs', async () => {
    expect((await publish('f'.repeat(40))).body).toMatchObject({ code: 'COMMIT_NOT_FOUND' });
    expect((await publish(second, tokens.ann, second)).body).toMatchObject({ code: 'ENVIRONMENT_MOVED' });
    expect((await publish(second, harness.tokens.operator)).body).toMatchObject({ code: 'FORBIDDEN' });
  });
});

it('environments without protection are published to as before', async () => {
  const answer = await call('PUT', '/api/v1/workflows/flow/environments/dev', { hash: second });
  expect(answer).toMatchObject({ status: 200, body: { environment: 'dev', hash: second } });
  expect((await call('DELETE', '/api/v1/workflows/flow/environments/dev')).status).toBe(204);
});

it('settings of protection are an admin’s, and must be well-formed', async () => {
  const bad = { protectedEnvironments: { prod: { approvals: 2 } } };
  expect((await call('PATCH', '/api/v1/settings', bad)).body.code).toBe('VALIDATION_FAILED');
  expect((await call('PATCH', '/api/v1/settings', { bulkApprovalOver: -1 })).body.code).toBe('VALIDATION_FAILED');
  expect((await call('PATCH', '/api/v1/settings', { bulkApprovalOver: 5 }, harness.tokens.operator)).status).toBe(403);
});

it('retrying a failure group of many jobs needs another person, as any large bulk operation', async () => {
  const { jobs } = harness.services;
  jobs.failures.get = async () => ({ id: '0123456789abcdef' }) as never;
  const { dryRun, snapshotTotal } = jobs.operations;
  jobs.operations.dryRun = async (request) => ({ ...(await dryRun(request)), count: 3 });
  jobs.operations.snapshotTotal = (snapshot) => ({ ...snapshotTotal(snapshot), total: 3 });
  await call('PATCH', '/api/v1/settings', { bulkApprovalOver: 2 });
  const retry = () => call<Approval>('POST', '/api/v1/failures/0123456789abcdef/retry');
  expect(await retry()).toMatchObject({
    status: 202,
    body: { kind: 'bulk', status: 'open', bulk: { action: 'retry', total: 3 }, mine: true },
  });
  expect((await jobs.operations.list({ page: 0, size: 10 })).totalItems).toBe(0);
});
